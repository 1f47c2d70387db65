//! The vocabulary that every room shares: captures, elements, scenes and tool calls.
//!
//! Owns the types; knows no other room. It never touches a screen, a model or a file.

mod area;
mod call;
mod capture;
mod element;
mod geometry;
mod merge;
mod numbering;
mod table;
mod text;

#[cfg(test)]
mod tests;

pub use call::ToolCall;
pub use capture::{Capture, CaptureId, CapturePoint, WindowId};
pub use element::{Element, Role, Scene, Source, State};
pub use geometry::{DesktopPoint, DesktopPx, DesktopRect, ImagePoint, ImagePx, ImageRect};
pub use merge::merge;
pub use numbering::Numbering;
pub use text::{quoted, scene_text};
