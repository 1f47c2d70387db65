//! Number formats of XLS files: which format code each cell has, read from the BIFF8 records.
//!
//! The values come from elsewhere; everything here is best effort, and a file that is not understood has no formats.

use std::collections::BTreeMap;

/// Format codes by 0-based place, for one sheet.
type Codes = BTreeMap<(u32, u32), String>;

/// Format codes of all sheets by the sheet's name; `None` when the file is not a BIFF8 workbook.
pub(super) fn formats(file: &[u8]) -> Option<BTreeMap<String, Codes>> {
    let stream = workbook_stream(file)?;
    let mut codes: BTreeMap<u16, String> = BTreeMap::new();
    let mut cell_formats: Vec<u16> = Vec::new();
    let mut sheets: Vec<(String, usize)> = Vec::new();
    for record in records(&stream, 0) {
        match record.id {
            // BOF: only BIFF8 has Unicode strings as read below.
            0x0809 if word(record.data, 0)? != 0x0600 => return None,
            0x041E => {
                codes.insert(word(record.data, 0)?, text(record.data.get(2..)?, true)?);
            }
            0x00E0 => cell_formats.push(word(record.data, 2)?),
            0x0085 => {
                let at = usize::try_from(long(record.data, 0)?).ok()?;
                sheets.push((text(record.data.get(6..)?, false)?, at));
            }
            END => break,
            _ => {}
        }
    }
    let code = |xf: u16| -> Option<String> {
        let format = *cell_formats.get(usize::from(xf))?;
        codes.get(&format).cloned().or_else(|| built_in(format).map(str::to_string))
    };
    let mut out = BTreeMap::new();
    for (name, at) in sheets {
        let mut found = Codes::new();
        for record in records(&stream, at) {
            let data = record.data;
            match record.id {
                // NUMBER, RK, FORMULA: row, column, format.
                0x0203 | 0x027E | 0x0006 => {
                    if let (Some(row), Some(column), Some(xf)) = (word(data, 0), word(data, 2), word(data, 4))
                        && let Some(code) = code(xf)
                    {
                        found.insert((row.into(), column.into()), code);
                    }
                }
                // MULRK: row, first column, then format and value for each cell.
                0x00BD => {
                    let (Some(row), Some(first)) = (word(data, 0), word(data, 2)) else { continue };
                    let cells = data.get(4..data.len().saturating_sub(2)).unwrap_or_default();
                    for (i, cell) in cells.chunks_exact(6).enumerate() {
                        if let Some(code) = word(cell, 0).and_then(code) {
                            found.insert((row.into(), u32::from(first) + i as u32), code);
                        }
                    }
                }
                END => break,
                _ => {}
            }
        }
        out.insert(name, found);
    }
    Some(out)
}

/// Checks what the sheets claim about their size before anything is reserved for them: a damaged file claims
/// thousands of gigabytes.
///
/// # Errors
/// What is wrong, in a few words.
pub(super) fn check(file: &[u8]) -> Result<(), String> {
    let stream = workbook_stream(file).ok_or("it has no readable workbook inside")?;
    let sheets: Vec<usize> = records(&stream, 0)
        .take_while(|r| r.id != END)
        .filter(|r| r.id == 0x0085)
        .filter_map(|r| usize::try_from(long(r.data, 0)?).ok())
        .collect();
    for at in sheets {
        let mut low = (u32::MAX, u32::MAX);
        let mut high = (0, 0);
        for record in records(&stream, at).take_while(|r| r.id != END) {
            let data = record.data;
            match record.id {
                // DIMENSIONS: first row, row behind the last, the same for columns.
                0x0200 => {
                    let sizes = if data.len() >= 14 {
                        (long(data, 0), long(data, 4), word(data, 8), word(data, 10))
                    } else {
                        let wide = |at| word(data, at).map(u32::from);
                        (wide(0), wide(2), word(data, 4), word(data, 6))
                    };
                    let (Some(first), Some(last), Some(left), Some(right)) = sizes else { continue };
                    if first > last || last > 65_536 || right > 256 || left > right {
                        return Err("it claims more cells than a sheet can have".into());
                    }
                }
                // The records of cells with values.
                0x0203 | 0x0204 | 0x00D6 | 0x0205 | 0x027E | 0x00FD | 0x0006 | 0x00BD => {
                    let (Some(row), Some(column)) = (word(data, 0), word(data, 2)) else { continue };
                    let more = if record.id == 0x00BD { (data.len() / 6) as u32 } else { 1 };
                    let (row, column) = (u32::from(row), u32::from(column));
                    low = (low.0.min(row), low.1.min(column));
                    high = (high.0.max(row), high.1.max(column + more));
                }
                _ => {}
            }
        }
        let area = u64::from(high.0.saturating_sub(low.0) + 1) * u64::from(high.1.saturating_sub(low.1) + 1);
        if area > super::MAX_CELLS as u64 {
            return Err("its cells lie too far apart".into());
        }
    }
    Ok(())
}

const END: u16 = 0x000A;

struct Record<'a> {
    id: u16,
    data: &'a [u8],
}

fn records(stream: &[u8], from: usize) -> impl Iterator<Item = Record<'_>> {
    let mut at = from;
    std::iter::from_fn(move || {
        let head = stream.get(at..at.checked_add(4)?)?;
        let length = usize::from(word(head, 2)?);
        let data = stream.get(at + 4..at + 4 + length)?;
        at += 4 + length;
        Some(Record { id: word(head, 0)?, data })
    })
}

fn word(data: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(data.get(at..at + 2)?.try_into().ok()?))
}

fn long(data: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(data.get(at..at + 4)?.try_into().ok()?))
}

/// A counted string: its length in two bytes or one, a flag for 16-bit characters, the characters.
fn text(data: &[u8], wide_length: bool) -> Option<String> {
    let (length, data) = if wide_length {
        (usize::from(word(data, 0)?), data.get(2..)?)
    } else {
        (usize::from(*data.first()?), data.get(1..)?)
    };
    let (flag, data) = data.split_first()?;
    if flag & 1 == 0 {
        return Some(data.get(..length)?.iter().map(|b| char::from(*b)).collect());
    }
    let units: Vec<u16> = data.get(..length * 2)?.chunks_exact(2).filter_map(|c| word(c, 0)).collect();
    String::from_utf16(&units).ok()
}

/// Codes of the numbered formats that every workbook has; dates that depend on the country are left out.
fn built_in(id: u16) -> Option<&'static str> {
    Some(match id {
        0 => "General",
        1 => "0",
        2 => "0.00",
        3 => "#,##0",
        4 => "#,##0.00",
        9 => "0%",
        10 => "0.00%",
        11 => "0.00E+00",
        37 | 38 => "#,##0;(#,##0)",
        39 | 40 => "#,##0.00;(#,##0.00)",
        49 => "@",
        _ => return None,
    })
}

/// Sector numbers from here on are marks, not places.
const SPECIAL: u32 = 0xFFFF_FFFA;

/// The workbook's stream out of the compound file: header, allocation table, directory, chain of sectors.
fn workbook_stream(file: &[u8]) -> Option<Vec<u8>> {
    let shift = word(file, 30)?;
    if !(7..=16).contains(&shift) {
        return None;
    }
    let size = 1usize << shift;
    let sector = |n: u32| -> Option<&[u8]> {
        let start = (usize::try_from(n).ok()?.checked_add(1)?).checked_mul(size)?;
        // The last sector of a file may be cut short.
        file.get(start..start.checked_add(size)?.min(file.len()))
    };
    let limit = file.len() / size + 1;
    let mut table_sectors: Vec<u32> =
        (0..109).filter_map(|i| long(file, 76 + 4 * i)).filter(|n| *n < SPECIAL).collect();
    let mut more = long(file, 68)?;
    let mut seen = 0;
    while more < SPECIAL && seen < limit {
        let entries = sector(more)?;
        let count = size / 4 - 1;
        table_sectors.extend((0..count).filter_map(|i| long(entries, 4 * i)).filter(|n| *n < SPECIAL));
        more = long(entries, 4 * count)?;
        seen += 1;
    }
    let mut table: Vec<u32> = Vec::new();
    for n in table_sectors {
        table.extend(sector(n)?.chunks_exact(4).filter_map(|c| long(c, 0)));
    }
    let chain = |first: u32| -> Option<Vec<u8>> {
        let mut out = Vec::new();
        let mut next = first;
        let mut steps = 0;
        while next < SPECIAL {
            out.extend_from_slice(sector(next)?);
            next = *table.get(usize::try_from(next).ok()?)?;
            steps += 1;
            if steps > limit {
                return None;
            }
        }
        Some(out)
    };
    let directory = chain(long(file, 48)?)?;
    let entry_name = |entry: &[u8]| -> Option<String> {
        let length = usize::from(word(entry, 64)?).checked_sub(2)?;
        let units: Vec<u16> = entry.get(..length)?.chunks_exact(2).filter_map(|c| word(c, 0)).collect();
        String::from_utf16(&units).ok()
    };
    let entries: Vec<&[u8]> = directory.chunks_exact(128).collect();
    let book = entries.iter().find(|e| entry_name(e).is_some_and(|n| n == "Workbook" || n == "Book"))?;
    let length = usize::try_from(long(book, 120)?).ok()?;
    let first = long(book, 116)?;
    if length >= usize::try_from(long(file, 56)?).ok()? {
        let mut stream = chain(first)?;
        stream.truncate(length);
        return Some(stream);
    }
    // Short streams live in the mini stream, which the root entry owns.
    let mini = chain(long(entries.first()?, 116)?)?;
    let small = 1usize << word(file, 32)?.min(12);
    let mini_table: Vec<u32> = chain(long(file, 60)?)?.chunks_exact(4).filter_map(|c| long(c, 0)).collect();
    let mut stream = Vec::new();
    let mut next = first;
    while next < SPECIAL && stream.len() < length {
        let start = usize::try_from(next).ok()?.checked_mul(small)?;
        stream.extend_from_slice(mini.get(start..start.checked_add(small)?)?);
        next = *mini_table.get(usize::try_from(next).ok()?)?;
    }
    stream.truncate(length);
    Some(stream)
}
