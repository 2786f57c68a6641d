//! From bodies to the code of [`super::core`]: names resolved, locks held, and references extracted, once for all contexts.

pub mod codes;
pub mod extract;
pub mod handles;
pub mod held;
pub mod resolve;
