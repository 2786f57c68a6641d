//! What is proved: by types, for the search to leave out (`typed`), and by the search, for the focus set (`race_free`, `idle`), if nothing
//! is hidden from it (`closed`).

pub mod closed;
mod hiding;
pub mod idle;
pub mod race_free;
pub mod typed;
