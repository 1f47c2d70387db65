//! The practice order-entry window.
