//! The bytes of the tail: start block, end block, table of contents, and how they are found again.
//!
//! All numbers are little-endian. Both blocks carry a checksum of themselves, so that the same letters elsewhere in
//! a program (this file's constants, for one) are never mistaken for them.

use std::io::{Read, Seek, SeekFrom};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// Where parts may begin: multiples of this from the start of the file. 64 KiB is the allocation granularity of
/// Windows and a multiple of every page size in use.
pub(super) const ALIGN: u64 = 64 * 1024;
/// The version written, and the newest that is read.
pub(super) const VERSION: u32 = 1;
/// Length of the start block.
pub(super) const START_LEN: usize = 32;
/// Length of the end block.
pub(super) const END_LEN: usize = 64;
/// A signature or a stamp may have been put behind the end block afterwards; this many bytes from the end are
/// searched for it. An Authenticode signature with its time stamp has 10 to 20 KB.
const WINDOW: u64 = 1024 * 1024;
/// A table of contents has some hundred bytes for each part; more than this is damage.
const TABLE_LIMIT: u64 = 16 * 1024 * 1024;

const START_MAGIC: [u8; 8] = *b"DHTAIL\x01\x1a";
const END_MAGIC: [u8; 8] = *b"DHEND\x00\x1a\x0a";

/// What the end block says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    /// Length of the executable without its tail.
    pub executable: u64,
    /// Where the table of contents begins, from the start of the file.
    pub table: u64,
    /// Its length in bytes.
    pub table_len: u64,
    /// Its XXH3-64.
    pub table_sum: u64,
}

/// A row of the table of contents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What the program asks for, see [`names`](super::names).
    pub name: String,
    /// First byte, from the start of the file.
    pub(super) offset: u64,
    /// Length in bytes.
    pub length: u64,
    /// XXH3-64 in hexadecimal: finds damage, quickly, at the first use of each run. It is no signature.
    pub(super) xxh3: String,
    /// SHA-256 in hexadecimal, as in `models/manifest.toml`.
    pub sha256: String,
    /// What the bytes are: `gguf`, `onnx`, `library`.
    pub kind: String,
    /// SPDX expression.
    pub licence: String,
    /// Package and version, or the name of the file it was packed from.
    pub origin: String,
}

/// The table of contents.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub entries: Vec<Entry>,
}

/// Why no usable tail was found.
#[derive(Debug)]
pub(super) enum Fault {
    /// Nothing there.
    Missing,
    /// A start block but no end block.
    Truncated,
    /// Contradictions, or a checksum that does not fit.
    Damaged(String),
    /// A version above [`VERSION`].
    Newer(u32),
    Io(std::io::Error),
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        Fault::Io(error)
    }
}

/// The next multiple of [`ALIGN`], if it fits.
pub(super) fn aligned(offset: u64) -> Option<u64> {
    offset.checked_next_multiple_of(ALIGN)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|b| b.first_chunk()).map_or(0, |b| u64::from_le_bytes(*b))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|b| b.first_chunk()).map_or(0, |b| u32::from_le_bytes(*b))
}

/// The start block: magic, version, 0, length of the executable, checksum of these.
pub(super) fn start_block(executable: u64) -> [u8; START_LEN] {
    let mut block = [0; START_LEN];
    block[..8].copy_from_slice(&START_MAGIC);
    block[8..12].copy_from_slice(&VERSION.to_le_bytes());
    block[16..24].copy_from_slice(&executable.to_le_bytes());
    let sum = xxh3_64(&block[..24]);
    block[24..].copy_from_slice(&sum.to_le_bytes());
    block
}

fn is_start_block(block: &[u8; START_LEN], at: u64) -> bool {
    block.starts_with(&START_MAGIC)
        && u64_at(block, 24) == xxh3_64(&block[..24])
        && aligned(u64_at(block, 16)) == Some(at)
}

impl End {
    /// The end block: the four numbers, their checksum, 8 spare bytes, version, length of the block, magic. The
    /// last 16 bytes keep their meaning in every version.
    pub(super) fn to_block(self) -> [u8; END_LEN] {
        let mut block = [0; END_LEN];
        block[..8].copy_from_slice(&self.executable.to_le_bytes());
        block[8..16].copy_from_slice(&self.table.to_le_bytes());
        block[16..24].copy_from_slice(&self.table_len.to_le_bytes());
        block[24..32].copy_from_slice(&self.table_sum.to_le_bytes());
        block[48..52].copy_from_slice(&VERSION.to_le_bytes());
        block[52..56].copy_from_slice(&(END_LEN as u32).to_le_bytes());
        block[56..].copy_from_slice(&END_MAGIC);
        let sum = xxh3_64(&block);
        block[32..40].copy_from_slice(&sum.to_le_bytes());
        block
    }

    fn from_block(block: &[u8; END_LEN]) -> Option<End> {
        let mut plain = *block;
        plain[32..40].fill(0);
        if u64_at(block, 32) != xxh3_64(&plain) {
            return None;
        }
        Some(End {
            executable: u64_at(block, 0),
            table: u64_at(block, 8),
            table_len: u64_at(block, 16),
            table_sum: u64_at(block, 24),
        })
    }
}

/// Finds the tail of a file of `len` bytes and reads its table of contents; every number in it was checked against
/// the length of the file.
///
/// # Errors
/// See [`Fault`].
pub(super) fn locate<R: Read + Seek>(file: &mut R, len: u64) -> Result<(End, Table), Fault> {
    let Some(end) = find_end(file, len)? else {
        return Err(if has_start(file, len)? { Fault::Truncated } else { Fault::Missing });
    };
    let damaged = |what: &str| Fault::Damaged(what.to_owned());
    // The end block was read within the file, so that a table before it is within the file too.
    let (end, at) = end;
    if end.table.checked_add(end.table_len) != Some(at) || end.executable > end.table || end.table_len > TABLE_LIMIT {
        return Err(damaged("it does not lie where its end says"));
    }
    let mut bytes = vec![0; usize::try_from(end.table_len).map_err(|_| damaged("it is too long"))?];
    file.seek(SeekFrom::Start(end.table))?;
    file.read_exact(&mut bytes)?;
    if xxh3_64(&bytes) != end.table_sum {
        return Err(damaged("its checksum differs"));
    }
    let table: Table = serde_json::from_slice(&bytes).map_err(|error| Fault::Damaged(error.to_string()))?;
    let tail = aligned(end.executable).ok_or_else(|| damaged("the executable's length is impossible"))?;
    for entry in &table.entries {
        let fits = entry.offset.checked_add(entry.length).is_some_and(|stop| stop <= end.table);
        if !fits || entry.offset < tail || !entry.offset.is_multiple_of(ALIGN) {
            return Err(Fault::Damaged(format!("the place of \"{}\" is impossible", entry.name)));
        }
    }
    Ok((end, table))
}

/// The end block and where it stands: at the very end, or within [`WINDOW`] of it when something was appended.
fn find_end<R: Read + Seek>(file: &mut R, len: u64) -> Result<Option<(End, u64)>, Fault> {
    let window = len.min(WINDOW);
    let start = len - window;
    let mut bytes = vec![0; usize::try_from(window).unwrap_or(0)];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut bytes)?;
    for (index, block) in bytes.windows(END_LEN).enumerate().rev() {
        let Some(block) = block.first_chunk::<END_LEN>() else { continue };
        if !block.ends_with(&END_MAGIC) {
            continue;
        }
        let at_very_end = index + END_LEN == bytes.len();
        let version = u32_at(block, 48);
        if at_very_end && version > VERSION {
            return Err(Fault::Newer(version));
        }
        match End::from_block(block) {
            Some(end) => return Ok(Some((end, start + index as u64))),
            None if at_very_end => return Err(Fault::Damaged("its end block is damaged".to_owned())),
            // The letters of the magic inside a program's code.
            None => {}
        }
    }
    Ok(None)
}

/// Whether a start block stands at some multiple of [`ALIGN`]: tells a broken copy from a bare program. 700 reads
/// for a program of 45 MB, and only on the way to an error.
fn has_start<R: Read + Seek>(file: &mut R, len: u64) -> Result<bool, Fault> {
    let mut at = 0;
    while at + START_LEN as u64 <= len {
        let mut block = [0; START_LEN];
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(&mut block)?;
        if is_start_block(&block, at) {
            return Ok(true);
        }
        at += ALIGN;
    }
    Ok(false)
}
