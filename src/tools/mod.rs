//! The registry of tools and the built-in ones, one file each; where hands and eyes meet.
//!
//! Owns: what a model may ask for (names, descriptions, JSON Schemas, all from one source), checking a call before
//! anything happens, looking again before and after acting, reading back what was typed. It knows `desktop/`,
//! `vision/`, `record/` and takes only calls that `policy/` approved; it does not choose what to do.

mod choose;
mod click;
mod done;
mod drag;
mod fields;
mod fill_fields;
mod press_key;
mod read_screen;
mod readback;
mod registry;
mod result;
mod schema;
mod scroll;
mod sight;
mod type_text;
mod wait;
mod workbench;

pub use fill_fields::FieldValue;
pub use readback::same_text;
pub use registry::{CallError, Registry, ToolSpec};
pub use result::{Effect, ToolResult, ToolState};
pub use schema::Schema;
pub use sight::look;
pub use workbench::{View, Workbench, target_of};
