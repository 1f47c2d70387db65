//! The run folder: log, pictures, result. The only room that writes into it.
