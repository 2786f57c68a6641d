//! Which objects several threads may reach (`escaping`), and from where on they may reach one that is being made (`construction`,
//! by the `origins` of variables, and the `helpers` of constructors; `making` and `passed_on` for its arrays), which ones a race has handed
//! over (`handed_over`), which ones are new to the code that fills them (`filled`), and which slots hold something each (`sole`).

pub mod construction;
pub mod escaping;
pub mod filled;
pub mod handed_over;
pub mod helpers;
pub mod making;
pub mod origins;
pub mod passed_on;
pub mod sole;
