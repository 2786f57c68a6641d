//! Static races for people and programs: `words` makes a `report` of what the analysis found, `annotations`, `suppressed` and `observed`
//! add what people and runs know, `text` shows it, and `document` (with `ways`) makes of it what [`crate::formats`] write.

pub mod annotations;
pub mod api;
pub mod broken;
pub mod document;
pub mod dump;
mod frame;
pub mod linked;
mod locking;
pub mod modular;
mod names;
pub mod norace;
pub mod observation;
pub mod observed;
pub mod paths;
pub mod rank;
pub mod reflection;
pub mod reflection_log;
pub mod report;
pub mod signs;
pub mod store;
pub mod summary;
pub mod suppressed;
mod tasks;
pub mod text;
mod ways;
pub mod words;

#[cfg(test)]
mod fixtures;
