//! Which objects several threads may reach (`escaping`), and from where on they may reach one that is being made (`construction`,
//! by the `origins` of variables, and the `helpers` of constructors).

pub mod construction;
pub mod escaping;
pub mod helpers;
pub mod origins;
