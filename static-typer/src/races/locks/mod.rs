//! Which locks are held: on every way to an instance (`guards`), and in a method (`sections`); which ones others may give back
//! (`released`), which keep others out at all (`genuine`), which are one lock for each object (`kept`), and which elements of arrays stay the same
//! (`settled`).

mod genuine;
pub mod guards;
pub mod kept;
pub mod released;
pub mod sections;
pub mod settled;
