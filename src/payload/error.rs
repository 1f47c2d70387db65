//! What can be wrong with a payload, each in one sentence that says what to do.

use std::path::PathBuf;

/// Why a part of the executable cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PayloadError {
    /// A bare program, as the compiler leaves it.
    #[error("{path} carries no models: make the complete executable with `make build` and start dist/deskhand")]
    Missing { path: PathBuf },
    /// The tail begins but does not end, as after a broken copy.
    #[error("{path} is cut off or damaged at its end: copy the file again from where it came from")]
    Truncated { path: PathBuf },
    /// The end block or the table of contents is not what was written.
    #[error("the table of contents inside {path} is damaged ({reason}): copy the file again from where it came from")]
    Table { path: PathBuf, reason: String },
    /// Written by a newer program than this one.
    #[error("the parts inside {path} have format {found} and this program reads up to {known}: use a newer Deskhand")]
    Newer { path: PathBuf, found: u32, known: u32 },
    /// The bytes of a part are not those that were packed.
    #[error("the part \"{name}\" inside {path} is damaged: copy the file again from where it came from")]
    Entry { path: PathBuf, name: String },
    /// Asked for something that was not packed.
    #[error("{path} has no part \"{name}\"; it has: {present}")]
    Unknown { path: PathBuf, name: String, present: String },
    /// The runtime library could not be placed where the system can load it from.
    #[error("the inference runtime could not be placed in memory: {0}")]
    Runtime(String),
    /// The operating system refused; the source says why.
    #[error("{path} cannot be read")]
    Io { path: PathBuf, source: std::io::Error },
}

/// Why no new executable was written. The place of the result is left as it was.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// The result would replace the program that is running.
    #[error("{0} is the program that is packing: choose another name for the result")]
    OverItself(PathBuf),
    /// The user stopped it.
    #[error("stopped; nothing was written")]
    Stopped,
    /// Does not begin like a GGUF file.
    #[error("{0} is no GGUF file")]
    NotGguf(PathBuf),
    /// Neither ELF, PE nor Mach-O.
    #[error("{0} is not an executable for Linux, Windows or macOS")]
    NotExecutable(PathBuf),
    /// Windows does not start executables of 4 GiB and more.
    #[error(
        "the result would have {bytes} bytes and Windows starts no executable of 4 GiB or more: pack a smaller model, \
         or leave the model outside and give it with --model"
    )]
    TooLarge { bytes: u64 },
    /// Two parts of one name, or a part without one.
    #[error("the part name \"{0}\" is empty or used twice")]
    Name(String),
    /// The file changed or is not the one that was asked for.
    #[error("{path} is not the file that was expected for the part \"{name}\": {reason}")]
    Unexpected { path: PathBuf, name: String, reason: String },
    /// The executable's own payload cannot be read.
    #[error(transparent)]
    Payload(#[from] PayloadError),
    /// The list of parts built into this program cannot be read.
    #[error("the list of parts is damaged: {0}")]
    Manifest(String),
    /// The operating system refused; the source says why.
    #[error("{path} cannot be read")]
    Read { path: PathBuf, source: std::io::Error },
    /// The operating system refused; the source says why.
    #[error("{path} cannot be written")]
    Write { path: PathBuf, source: std::io::Error },
}
