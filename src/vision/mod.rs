//! The eyes: a picture goes in, numbered elements come out.
//!
//! Owns OCR, shape finding, fusing both into elements with labels, and the annotated picture. It knows
//! `scene/` and nothing else: no desktop, no model, no files (the networks are handed in as bytes).

/// Why a picture could not be understood.
#[derive(Debug, thiserror::Error)]
pub enum VisionError {
    #[error("the inference runtime could not be loaded: {0}")]
    Runtime(String),
    #[error("the network {name} cannot be used: {reason}")]
    Network { name: &'static str, reason: String },
    #[error("reading the picture failed: {0}")]
    Run(String),
}

pub type Result<T> = std::result::Result<T, VisionError>;
