//! Which objects several threads may reach (`escaping`), and from where on they may reach one that is being made: by a constructor
//! (`construction`, with its `helpers`, and `making` and `passed_on` for its arrays) or by another method (`made`). What is `seen` of it,
//! of all at once and of `each` by itself, follows from what is `leading` to it from some `start`, with what is `holding` it, and from the
//! `origins` of variables. Which ones a race has handed over (`handed_over`), which ones are new to the code that fills them (`filled`), and which slots hold something each
//! (`sole`).

pub mod construction;
pub mod each;
pub mod escaping;
pub mod filled;
pub mod handed_over;
pub mod helpers;
pub mod holding;
pub mod leading;
pub mod made;
pub mod making;
pub mod origins;
pub mod passed_on;
pub mod seen;
pub mod sole;
pub mod start;
