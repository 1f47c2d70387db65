//! A model that plays a script, for tests.
