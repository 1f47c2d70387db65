//! Reading sheets.
