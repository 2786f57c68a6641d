//! What several checkers are tested with: event lists as text and random ones, and how the engines agree on them.

mod agreement;
pub mod notation;
pub mod random;
mod text_form;
