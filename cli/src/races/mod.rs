//! Static races for people and programs: `words` makes a `report` of what the analysis found, `annotations` and `observed`
//! add what people and runs know, and `text`, `sarif` and `html` show it.

pub mod annotations;
pub mod api;
pub mod html;
pub mod items;
pub mod modular;
mod names;
pub mod observation;
pub mod observed;
pub mod rank;
pub mod reflection;
pub mod reflection_log;
pub mod report;
pub mod sarif;
pub mod signs;
pub mod text;
pub mod words;

#[cfg(test)]
mod fixtures;
