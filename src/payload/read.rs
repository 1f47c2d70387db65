//! Reading: the executable is mapped, a part is checked at its first use and then lent out where it stands.

use std::fs::File;
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use memmap2::{Mmap, MmapOptions};
use xxhash_rust::xxh3::xxh3_64;

pub use super::format::Entry;
use super::format::{self, Fault};
use super::{PayloadError, Result};

/// Names a file to read the parts from instead of the running executable. A door for developers and tests: the test
/// runner's own executable carries nothing.
pub const PAYLOAD_VARIABLE: &str = "DESKHAND_PAYLOAD";

/// The parts inside one executable. Cheap to clone; all clones share one map.
#[derive(Debug, Clone)]
pub struct Payload {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    /// Length of the executable without its tail.
    executable: u64,
    /// Offset of the map's first byte in the file.
    start: u64,
    map: Arc<Mmap>,
    parts: Vec<(Entry, OnceLock<bool>)>,
}

/// The bytes of one part, or of a file of its own, mapped in place. Cheap to clone; keeps the map alive.
#[derive(Clone)]
pub struct PayloadBytes {
    map: Arc<Mmap>,
    range: Range<usize>,
}

impl Deref for PayloadBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.map.get(self.range.clone()).unwrap_or_default()
    }
}

impl AsRef<[u8]> for PayloadBytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl std::fmt::Debug for PayloadBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PayloadBytes({} bytes)", self.len())
    }
}

impl PayloadBytes {
    /// Maps a file that stands for itself, such as one given with `--model`.
    ///
    /// # Errors
    /// When the file cannot be opened or mapped; an empty file is an error too.
    pub fn map_file(path: &Path) -> std::io::Result<PayloadBytes> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        if length == 0 {
            return Err(std::io::Error::new(std::io::ErrorKind::UnexpectedEof, "the file is empty"));
        }
        let map = Arc::new(map(&file, 0, length)?);
        let range = 0..map.len();
        Ok(PayloadBytes { map, range })
    }
}

impl Payload {
    /// The parts of the running executable, or of the file that [`PAYLOAD_VARIABLE`] names.
    ///
    /// # Errors
    /// When there are none, or the tail is cut off, damaged or too new.
    pub fn open_self() -> Result<Payload> {
        if let Some(path) = std::env::var_os(PAYLOAD_VARIABLE).filter(|path| !path.is_empty()) {
            return Payload::open(Path::new(&path));
        }
        let path = own_executable()?;
        // The name may lead to another file by now, when the program was replaced while it runs; the link of the
        // process leads to the one that was started.
        #[cfg(target_os = "linux")]
        let opened = File::open("/proc/self/exe");
        #[cfg(not(target_os = "linux"))]
        let opened = File::open(&path);
        let file = opened.map_err(|source| PayloadError::Io { path: path.clone(), source })?;
        Payload::from_file(&file, path)
    }

    /// The parts of the executable at `path`.
    ///
    /// # Errors
    /// When there are none, or the tail is cut off, damaged or too new.
    pub fn open(path: &Path) -> Result<Payload> {
        let file = File::open(path).map_err(|source| PayloadError::Io { path: path.to_owned(), source })?;
        Payload::from_file(&file, path.to_owned())
    }

    fn from_file(file: &File, path: PathBuf) -> Result<Payload> {
        let io = |source| PayloadError::Io { path: path.clone(), source };
        let length = file.metadata().map_err(io)?.len();
        let (end, table) = format::locate(&mut &*file, length).map_err(|fault| fault_at(fault, &path))?;
        // `locate` has shown that start <= every part <= table <= length of the file.
        let start = format::aligned(end.executable).unwrap_or(end.table);
        let map = Arc::new(map(file, start, end.table.saturating_sub(start)).map_err(io)?);
        let parts = table.entries.into_iter().map(|entry| (entry, OnceLock::new())).collect();
        Ok(Payload { inner: Arc::new(Inner { path, executable: end.executable, start, map, parts }) })
    }

    /// What is there, in the order of packing.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.inner.parts.iter().map(|(entry, _)| entry)
    }

    /// The file that the parts are in.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    /// Length in bytes of the executable without its tail.
    #[must_use]
    pub fn executable_len(&self) -> u64 {
        self.inner.executable
    }

    /// The bytes of a part, in place. The first call for a part reads all of it to compare its checksum (145 MB: about
    /// 50 ms of CPU time when the file is in the system's cache); later calls cost nothing.
    ///
    /// # Errors
    /// When there is no such part, or it is not what was packed.
    pub fn get(&self, name: &str) -> Result<PayloadBytes> {
        let inner = &*self.inner;
        let Some((entry, sound)) = inner.parts.iter().find(|(entry, _)| entry.name == name) else {
            let present: Vec<&str> = self.entries().map(|entry| entry.name.as_str()).collect();
            return Err(PayloadError::Unknown {
                path: inner.path.clone(),
                name: name.to_owned(),
                present: if present.is_empty() { "nothing".to_owned() } else { present.join(", ") },
            });
        };
        let bytes = self.bytes_of(entry);
        let sound = *sound.get_or_init(|| bytes.as_ref().is_some_and(|b| format!("{:016x}", xxh3_64(b)) == entry.xxh3));
        bytes.filter(|_| sound).ok_or_else(|| PayloadError::Entry { path: inner.path.clone(), name: name.to_owned() })
    }

    fn bytes_of(&self, entry: &Entry) -> Option<PayloadBytes> {
        let from = usize::try_from(entry.offset.checked_sub(self.inner.start)?).ok()?;
        let to = from.checked_add(usize::try_from(entry.length).ok()?)?;
        self.inner.map.get(from..to)?;
        Some(PayloadBytes { map: Arc::clone(&self.inner.map), range: from..to })
    }
}

/// The path of the running executable, for messages and for packing.
pub(super) fn own_executable() -> Result<PathBuf> {
    std::env::current_exe().map_err(|source| PayloadError::Io { path: PathBuf::from("the running program"), source })
}

fn map(file: &File, offset: u64, length: u64) -> std::io::Result<Mmap> {
    let length = usize::try_from(length).map_err(|_| std::io::Error::other("the file is too large for this system"))?;
    // SAFETY: the map is read-only and private. The bytes under it change only if someone writes into the file in
    // place: systems refuse that for a running executable, and ours are replaced by renaming, which leaves the
    // mapped file as it is. For other files (tests, `--model`) the user is told not to; the worst is a failed
    // checksum or, when the file is cut short under us, the process's end by the system.
    unsafe { MmapOptions::new().offset(offset).len(length).map(file) }
}

pub(super) fn fault_at(fault: Fault, path: &Path) -> PayloadError {
    let path = path.to_owned();
    match fault {
        Fault::Missing => PayloadError::Missing { path },
        Fault::Truncated => PayloadError::Truncated { path },
        Fault::Damaged(reason) => PayloadError::Table { path, reason },
        Fault::Newer(found) => PayloadError::Newer { path, found, known: format::VERSION },
        Fault::Io(source) => PayloadError::Io { path, source },
    }
}
