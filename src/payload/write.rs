//! Writing: a new executable from a program and parts, complete or not at all.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::Xxh3Default;

use super::format::{self, End, Entry, Fault, Table};
use super::{PackError, PayloadBytes, read};

/// Windows refuses to start anything from this size on.
const PE_LIMIT: u64 = 4 * 1024 * 1024 * 1024;
const BLOCK: usize = 1024 * 1024;

/// Something to put into an executable.
#[derive(Debug, Clone)]
pub struct Part {
    /// What the program asks for, see [`names`](super::names).
    pub name: String,
    /// Where the bytes are.
    pub source: Source,
    /// `gguf`, `onnx` or `library`.
    pub kind: String,
    /// SPDX expression.
    pub licence: String,
    /// Package and version, or a file name.
    pub origin: String,
    /// SHA-256 in hexadecimal that the bytes must have, when that is known.
    pub sha256: Option<String>,
}

/// Where the bytes of a part are.
#[derive(Debug, Clone)]
pub enum Source {
    File(PathBuf),
    /// A part of another executable, already checked.
    Payload(PayloadBytes),
}

/// What was written.
#[derive(Debug, Clone, Serialize)]
pub struct Packed {
    /// The new executable.
    pub output: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// Of which the program itself.
    pub executable_bytes: u64,
    /// The parts, in order.
    pub parts: Vec<Entry>,
}

/// Writes a new executable: the program of `executable` (without the parts it may carry already) and `parts` behind
/// it. It appears under the name `out` only when it is complete and on the disk. `progress` hears of each part as it is
/// done; once `stop` is set the work ends within a few milliseconds.
///
/// # Errors
/// See [`PackError`]; `out` is as it was before.
pub fn pack(
    executable: &Path,
    parts: &[Part],
    out: &Path,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&Entry),
) -> Result<Packed, PackError> {
    for (index, part) in parts.iter().enumerate() {
        if part.name.is_empty() || parts[..index].iter().any(|other| other.name == part.name) {
            return Err(PackError::Name(part.name.clone()));
        }
    }
    let own = read::own_executable()?;
    if is_same_file(out, &own) || is_same_file(out, executable) {
        return Err(PackError::OverItself(out.to_owned()));
    }
    let mut program = File::open(executable).map_err(read_at(executable))?;
    let length = program.metadata().map_err(read_at(executable))?.len();
    let program_length = match format::locate(&mut program, length) {
        Ok((end, _)) => end.executable,
        Err(Fault::Missing) => length,
        Err(fault) => return Err(read::fault_at(fault, executable).into()),
    };
    let target = Target::of(&mut program, executable)?;
    check_size(target, program_length, parts)?;

    let mut partial = Partial::create(out)?;
    let wrong = write_at(out);
    let mut file = Stoppable { file: BufWriter::with_capacity(BLOCK, &mut partial.file), stop };
    let mut table = Table::default();
    program.seek(SeekFrom::Start(0)).map_err(read_at(executable))?;
    std::io::copy(&mut program.take(program_length), &mut file).map_err(&wrong)?;
    let mut place = pad(&mut file, program_length).map_err(&wrong)?;
    file.write_all(&format::start_block(program_length)).map_err(&wrong)?;
    place += format::START_LEN as u64;
    for part in parts {
        place = pad(&mut file, place).map_err(&wrong)?;
        let sums = match &part.source {
            Source::File(path) => {
                let mut source = File::open(path).map_err(read_at(path))?;
                copy(&mut source, &mut file, path, out)?
            }
            Source::Payload(bytes) => copy(&mut &bytes[..], &mut file, Path::new(&part.origin), out)?,
        };
        part.check_sum(&sums.sha256)?;
        let entry = Entry {
            name: part.name.clone(),
            offset: place,
            length: sums.length,
            xxh3: format!("{:016x}", sums.xxh3),
            sha256: sums.sha256,
            kind: part.kind.clone(),
            licence: part.licence.clone(),
            origin: part.origin.clone(),
        };
        progress(&entry);
        place += entry.length;
        table.entries.push(entry);
    }
    let bytes = serde_json::to_vec(&table).map_err(|error| wrong(error.into()))?;
    let end = End {
        executable: program_length,
        table: place,
        table_len: bytes.len() as u64,
        table_sum: xxhash_rust::xxh3::xxh3_64(&bytes),
    };
    file.write_all(&bytes).map_err(&wrong)?;
    file.write_all(&end.to_block()).map_err(&wrong)?;
    file.flush().map_err(&wrong)?;
    drop(file);
    if stop.load(Ordering::Relaxed) {
        return Err(PackError::Stopped);
    }
    partial.put_in_place(out)?;
    Ok(Packed {
        output: out.to_owned(),
        bytes: place + end.table_len + format::END_LEN as u64,
        executable_bytes: program_length,
        parts: table.entries,
    })
}

/// Says which file the system refused to read.
pub(super) fn read_at(path: &Path) -> impl Fn(std::io::Error) -> PackError {
    let path = path.to_owned();
    move |source| PackError::Read { path: path.clone(), source }
}

/// Says which file the system refused to write.
fn write_at(path: &Path) -> impl Fn(std::io::Error) -> PackError {
    let path = path.to_owned();
    move |source| match source.downcast::<Stopped>() {
        Ok(Stopped) => PackError::Stopped,
        Err(source) => PackError::Write { path: path.clone(), source },
    }
}

/// The SHA-256 of a file in hexadecimal.
pub(super) fn sha256_of(path: &Path) -> Result<String, PackError> {
    let mut file = File::open(path).map_err(read_at(path))?;
    Ok(copy(&mut file, &mut std::io::sink(), path, path)?.sha256)
}

impl Part {
    /// Compares the bytes with the checksum, if there is one; [`pack`] does it anyway while it copies.
    ///
    /// # Errors
    /// [`PackError::Unexpected`] when they differ.
    pub fn check(&self) -> Result<(), PackError> {
        match &self.source {
            Source::File(path) => self.check_sum(&sha256_of(path)?),
            Source::Payload(_) => Ok(()),
        }
    }

    fn check_sum(&self, found: &str) -> Result<(), PackError> {
        if self.sha256.as_ref().is_none_or(|expected| expected == found) {
            return Ok(());
        }
        let path = match &self.source {
            Source::File(path) => path.clone(),
            Source::Payload(_) => PathBuf::from(&self.origin),
        };
        let reason = format!("its SHA-256 is {found}");
        Err(PackError::Unexpected { path, name: self.name.clone(), reason })
    }
}

/// Ends the writing at the next block when the user wants that.
struct Stoppable<'a, W> {
    file: W,
    stop: &'a AtomicBool,
}

#[derive(Debug, thiserror::Error)]
#[error("stopped")]
struct Stopped;

impl<W: Write> Write for Stoppable<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(std::io::Error::other(Stopped));
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

/// The system that an executable is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Elf,
    Pe,
    MachO,
}

impl Target {
    fn of(program: &mut File, path: &Path) -> Result<Target, PackError> {
        let io = read_at(path);
        let mut magic = Vec::new();
        program.seek(SeekFrom::Start(0)).map_err(&io)?;
        program.take(4).read_to_end(&mut magic).map_err(io)?;
        match magic.as_slice() {
            b"\x7fELF" => Ok(Target::Elf),
            [b'M', b'Z', ..] => Ok(Target::Pe),
            [0xcf, 0xfa, 0xed, 0xfe] => Ok(Target::MachO),
            _ => Err(PackError::NotExecutable(path.to_owned())),
        }
    }
}

/// Refuses what Windows would refuse later, before anything is written.
fn check_size(target: Target, program: u64, parts: &[Part]) -> Result<(), PackError> {
    // Room for the table and the blocks.
    let mut bytes = program.saturating_add(2 * format::ALIGN);
    for part in parts {
        let length = match &part.source {
            Source::File(path) => std::fs::metadata(path).map_err(read_at(path))?.len(),
            Source::Payload(bytes) => bytes.len() as u64,
        };
        bytes = bytes.saturating_add(length).saturating_add(format::ALIGN);
    }
    match target {
        Target::Pe if bytes >= PE_LIMIT => Err(PackError::TooLarge { bytes }),
        Target::Pe | Target::Elf | Target::MachO => Ok(()),
    }
}

/// Writes zeros up to the next multiple of the alignment, which it returns.
fn pad(file: &mut impl Write, place: u64) -> std::io::Result<u64> {
    let next = format::aligned(place).ok_or_else(|| std::io::Error::other("the file is too long"))?;
    std::io::copy(&mut std::io::repeat(0).take(next - place), file)?;
    Ok(next)
}

struct Sums {
    length: u64,
    xxh3: u64,
    sha256: String,
}

fn copy(from: &mut impl Read, to: &mut impl Write, from_path: &Path, to_path: &Path) -> Result<Sums, PackError> {
    let mut buffer = vec![0; BLOCK];
    let (mut fast, mut strong, mut length) = (Xxh3Default::new(), Sha256::new(), 0);
    loop {
        let count = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(read_at(from_path)(error)),
        };
        let bytes = buffer.get(..count).unwrap_or_default();
        fast.update(bytes);
        strong.update(bytes);
        length += count as u64;
        to.write_all(bytes).map_err(write_at(to_path))?;
    }
    let sha256 = strong.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Sums { length, xxh3: fast.digest(), sha256 })
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        (Err(_), _) | (_, Err(_)) => false,
    }
}

/// The result while it is written, beside its final place so that renaming is atomic; deleted unless it gets there.
struct Partial {
    file: File,
    path: PathBuf,
    in_place: bool,
}

impl Partial {
    fn create(out: &Path) -> Result<Partial, PackError> {
        let mut name = out.file_name().unwrap_or_default().to_owned();
        name.push(format!(".part{}", std::process::id()));
        let path = out.with_file_name(name);
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o755);
        let file = options.open(&path).map_err(write_at(out))?;
        Ok(Partial { file, path, in_place: false })
    }

    fn put_in_place(mut self, out: &Path) -> Result<(), PackError> {
        self.file.sync_all().map_err(write_at(out))?;
        std::fs::rename(&self.path, out).map_err(write_at(out))?;
        self.in_place = true;
        // The name is on the disk only when the folder is. Some file systems cannot do that; the file is good anyway.
        #[cfg(unix)]
        if let Some(folder) = out.parent() {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            if let Ok(folder) = File::open(folder) {
                let _ = folder.sync_all();
            }
        }
        Ok(())
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.in_place {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
