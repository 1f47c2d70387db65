//! Repeated work: sheets, binding columns to fields, entering rows with verdicts.
//!
//! Owns what a row is, which column goes into which field, and what counts as saved. It acts only through
//! `tasks/`; it knows no window, no pixels and no prompt.

pub mod bind;
pub mod entry;
pub mod pairs;
pub mod report;
pub mod sheet;
pub mod verdict;
