//! The system that an executable is for, told by its first bytes.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use super::PackError;
use super::write::read_at;

/// An operating system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    Linux,
    Windows,
    MacOs,
}

impl System {
    /// The system that this program runs on.
    #[must_use]
    pub fn own() -> System {
        if cfg!(windows) {
            System::Windows
        } else if cfg!(target_os = "macos") {
            System::MacOs
        } else {
            System::Linux
        }
    }

    /// The system that the executable at `path` is for.
    ///
    /// # Errors
    /// When it cannot be read or is no executable.
    pub fn of_file(path: &Path) -> Result<System, PackError> {
        System::of(&mut File::open(path).map_err(read_at(path))?, path)
    }

    /// The same for an open file; `path` is for messages.
    pub(super) fn of(program: &mut File, path: &Path) -> Result<System, PackError> {
        let io = read_at(path);
        let mut magic = Vec::new();
        program.seek(SeekFrom::Start(0)).map_err(&io)?;
        program.take(4).read_to_end(&mut magic).map_err(io)?;
        match magic.as_slice() {
            b"\x7fELF" => Ok(System::Linux),
            [b'M', b'Z', ..] => Ok(System::Windows),
            [0xcf, 0xfa, 0xed, 0xfe] => Ok(System::MacOs),
            _ => Err(PackError::NotExecutable(path.to_owned())),
        }
    }

    /// How the manifest calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            System::Linux => "linux",
            System::Windows => "windows",
            System::MacOs => "macos",
        }
    }
}
