//! Windows of our own: now the practice program; later the main window.

pub mod practice;
