//! "May this happen?": the only room that answers it.
