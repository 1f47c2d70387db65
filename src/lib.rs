//! Deskhand: one executable that operates the desktop from a sentence, offline.
//!
//! Every module here is a room; its own `//!` says what it owns and what it must not know.
//! `docs/architecture.md` has the map.

pub mod agent;
pub mod app;
pub mod assembly;
pub mod builtin;
pub mod cli;
pub mod desktop;
pub mod model;
pub mod payload;
pub mod policy;
pub mod quiet;
pub mod record;
pub mod relaunch;
pub mod scene;
pub mod tasks;
pub mod tools;
pub mod vision;
pub mod words;
pub mod workflow;
