//! The embedded GGUF model.
