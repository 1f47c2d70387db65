//! The registry of tools and the built-in ones; where hands and eyes meet.
