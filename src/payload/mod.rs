//! What is inside the executable and where: the only room that knows that data comes from the executable.
//!
//! The model, the OCR networks and the inference runtime stand behind the program's own code, as a tail that no
//! loader looks at, so that one file is all there is and nothing has to be unpacked:
//!
//! ```text
//! executable | zeros up to 64 KiB | start block | part | zeros | part | ... | table of contents | end block
//! ```
//!
//! Every part begins at a multiple of 64 KiB from the start of the file, which suits the page size of every system and
//! the allocation granularity of Windows: parts are mapped where they stand. ELF and PE executables take the
//! same tail. `strip` and `objcopy` delete it without a word: strip before packing.
//!
//! [`Payload`] reads, [`pack`] writes, [`manifest`](manifest::files) says what belongs in a complete executable.

mod error;
mod format;
pub mod manifest;
mod read;
mod runtime;
mod system;
mod write;

pub use error::{PackError, PayloadError};
pub use read::{Entry, PAYLOAD_VARIABLE, Payload, PayloadBytes};
pub use runtime::{Leftover, RuntimeLibrary, cleanup, runtime_library};
pub use system::System;
pub use write::{Packed, Part, Source, pack};

/// The names of the parts that the program asks for.
pub mod names {
    /// The language model, a GGUF file.
    pub const LLM: &str = "llm";
    /// The network that finds lines of text, ONNX.
    pub const OCR_DET: &str = "ocr_det";
    /// The network that reads a line of text, ONNX; its dictionary is in its metadata.
    pub const OCR_REC: &str = "ocr_rec";
    /// The first network of our element detector, ONNX: what is near each place of a picture.
    pub const DETECTOR_NEAR: &str = "detector_near";
    /// The second, ONNX: elements; roles and states are in its metadata.
    pub const DETECTOR_FAR: &str = "detector_far";
    /// The inference runtime's shared library for the system that the executable is made for.
    pub const ONNXRUNTIME: &str = "onnxruntime";
}

/// The result of reading a payload.
pub type Result<T> = std::result::Result<T, PayloadError>;

#[cfg(test)]
mod tests;
