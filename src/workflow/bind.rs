//! Columns to fields.
