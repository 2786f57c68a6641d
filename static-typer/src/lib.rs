//! Static analysis of Java programs: the class path, the program model and its intermediate form.

pub mod atomicity;
pub mod classpath;
pub mod focus;
pub mod ir;
pub mod points_to;
pub mod program;
pub mod races;
pub mod types;
