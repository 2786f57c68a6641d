//! Which objects several threads may reach (`escaping`), and from where on they may reach one that is being made (`construction`,
//! by the `origins` of variables, and the `helpers` of constructors), and which ones a race has handed over (`handed_over`).

pub mod construction;
pub mod escaping;
pub mod handed_over;
pub mod helpers;
pub mod making;
pub mod origins;
pub mod sole;
