//! Class initializers: what may run them (`triggers`), what they do that is not their own (`effects`, `exposed`), which threads execute them
//! (`executions`), and where they have ended for certain (`definite`, by the `summaries` of bodies).

pub mod definite;
pub mod effects;
pub mod executions;
pub mod exposed;
pub mod summaries;
pub mod triggers;
