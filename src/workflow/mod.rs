//! Repeated work: sheets, binding columns to fields, entering rows with verdicts.

pub mod bind;
pub mod pairs;
pub mod sheet;
