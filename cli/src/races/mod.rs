//! Static races for people and programs: `report` finds words for what the analysis found, the others show it.

pub mod report;
pub mod text;
