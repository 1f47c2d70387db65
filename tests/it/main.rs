//! Contract tests: the built executable, driven as a user drives it, on a virtual display of its own.
//!
//! `DESKHAND_EXE` names another executable than `dist/deskhand`. Nothing is skipped: what a test needs, `make test`
//! installs. They run on Linux, the tests of the Windows executable too, which drive it under Wine.

#![cfg(target_os = "linux")]

mod accessibility;
mod architecture;
mod cli;
mod forms;
mod offline;
mod scripted;
mod sentences;
mod stops;
mod support;
mod tasks;
mod untrue;
mod windows;
