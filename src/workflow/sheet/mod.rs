//! Sheets: every cell as its reader sees it, whatever the file's kind.
//!
//! XLSX, XLSM, XLSB, XLS, ODS and text with separators become one [`Sheet`]. Values stay text: leading zeros, dates
//! and decimals arrive as shown, and what cannot be entered in good conscience is marked with a [`Problem`].

mod biff;
mod book;
mod number;
mod ods;
mod text;

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::words::{self, words};

/// Larger files are refused: nobody enters them by hand, and some are made to fill the memory.
const MAX_BYTES: u64 = 256 * 1024 * 1024;
/// Cells of one sheet, blanks between filled ones included.
const MAX_CELLS: usize = 8_000_000;

/// One table: named columns and rows of shown values.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// Name of the sheet inside a workbook; the file's name for text files.
    pub name: String,
    /// Distinct, non-empty names in the order of the sheet.
    pub columns: Vec<String>,
    pub rows: Vec<Row>,
    /// Rows without any content between or behind the others; they are left out.
    pub blank_rows: usize,
    /// The line above the header that only carried a title, if there was one.
    pub title: Option<String>,
    /// Other sheets of the workbook that are not empty.
    pub other_sheets: Vec<String>,
    /// How the file was read, e.g. `CSV, GB18030, semicolon`.
    pub format: String,
}

/// One record.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// 1 for the first row under the header; blank rows do not count.
    pub number: usize,
    /// Line in the file or spreadsheet as its program numbers it, the header included.
    pub line: usize,
    /// Exactly one shown value for each column.
    pub cells: Vec<String>,
    /// Why this row should not be entered as it stands.
    pub problem: Option<Problem>,
}

/// What makes a row doubtful; its `Display` is a sentence for the user.
#[derive(Debug, Clone, PartialEq)]
pub enum Problem {
    /// Values behind the last column: a separator inside a value has probably shifted the cells.
    TooLong { cells: usize, columns: usize, extra: Vec<String> },
    /// A text file's row ends before the last column.
    TooShort { cells: usize, columns: usize },
    /// A formula of this cell has no value.
    ErrorCell { column: String, shown: String },
    /// The row sums up the rows above it.
    TotalRow { word: String },
    /// The row contains a character that the file's encoding cannot express, so something is lost.
    Unreadable { column: String },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::TooLong { cells, columns, extra } => write!(
                f,
                "the row has {cells} cells where the header has {columns} (too many: {})",
                extra.iter().map(|e| format!("{e:?}")).collect::<Vec<_>>().join(", ")
            ),
            Problem::TooShort { cells, columns } => {
                write!(f, "the row has only {cells} of the header's {columns} cells")
            }
            Problem::ErrorCell { column, shown } => write!(f, "the cell under {column:?} shows the error {shown}"),
            Problem::TotalRow { word } => write!(f, "the row looks like a sum of the others ({word})"),
            Problem::Unreadable { column } => {
                write!(f, "the cell under {column:?} contains characters that could not be read")
            }
        }
    }
}

/// Why there is no sheet. Each message is one sentence: what, where, what to do.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    #[error("there is no file {}: check the name and the folder", .path.display())]
    Missing { path: PathBuf },
    #[error("{} cannot be read ({reason}): close it in other programs and check its permissions", .path.display())]
    Unreadable { path: PathBuf, reason: String },
    #[error("{} is {kind}, not a sheet: save it as XLSX or CSV first", .path.display())]
    Unsupported { path: PathBuf, kind: String },
    #[error("{} is protected by a password: save a copy without one first", .path.display())]
    Encrypted { path: PathBuf },
    #[error("{} is damaged ({reason}): open it in a spreadsheet program and save it again", .path.display())]
    Damaged { path: PathBuf, reason: String },
    #[error("{} is too large ({reason}): split it into smaller sheets", .path.display())]
    TooLarge { path: PathBuf, reason: String },
    #[error("{} is empty: it needs a row of column names and rows under it", .path.display())]
    Empty { path: PathBuf },
    #[error("{} has column names ({}) but no rows under them: add rows first", .path.display(), .columns.join(", "))]
    HeadersOnly { path: PathBuf, columns: Vec<String> },
    #[error("{} has no sheet named {name:?}: it has {}", .path.display(), .sheets.join(", "))]
    NoSuchSheet { path: PathBuf, name: String, sheets: Vec<String> },
    #[error("a quotation mark opens in line {line} of {} and never closes: close it or double it", .path.display())]
    OpenQuote { path: PathBuf, line: usize },
    #[error("the rows {text:?} cannot be chosen ({reason}): write for example 1-20,25")]
    Rows { text: String, reason: String },
}

type Result<T> = std::result::Result<T, SheetError>;

/// A line with content as the readers deliver it.
#[derive(Debug, Clone, PartialEq)]
struct Line {
    /// 1-based line number in its program.
    number: usize,
    cells: Vec<String>,
    /// Blank lines directly above.
    blanks_before: usize,
}

/// Collects lines, leaving blank ones out but counted.
#[derive(Debug, Default)]
struct Lines {
    kept: Vec<Line>,
    blanks: usize,
    last: usize,
}

impl Lines {
    /// Adds the next line of a text file.
    fn push(&mut self, number: usize, cells: Vec<String>) {
        let cells: Vec<String> = cells.iter().map(|c| clean(c)).collect();
        self.last = number;
        if cells.iter().all(String::is_empty) {
            self.blanks += 1;
        } else {
            self.kept.push(Line { number, cells, blanks_before: std::mem::take(&mut self.blanks) });
        }
    }

    /// Adds a line of a workbook, where lines that are not mentioned are blank.
    fn push_at(&mut self, number: usize, cells: Vec<String>) {
        self.blanks += number.saturating_sub(self.last + 1);
        self.push(number, cells);
    }
}

/// What the readers deliver.
struct Raw {
    name: String,
    lines: Lines,
    other_sheets: Vec<String>,
    format: String,
    /// Whether a row physically ends at its last cell (text files), so that missing cells are a finding.
    ragged_matters: bool,
}

impl Sheet {
    /// Reads the first sheet of a file that has content.
    ///
    /// # Errors
    /// Every [`SheetError`] but `NoSuchSheet` and `Rows`.
    pub fn read(path: &Path) -> Result<Sheet> {
        Sheet::read_named(path, None)
    }

    /// Reads the named sheet of a workbook, or the first one that has content. Text files have one sheet only,
    /// and a name is ignored there.
    pub fn read_named(path: &Path, name: Option<&str>) -> Result<Sheet> {
        let bytes = load(path)?;
        Sheet::from_bytes(path, bytes, name)
    }

    /// Reads a sheet from the contents of a file; `path` is used for messages and for telling `.tsv` from `.csv`.
    pub fn from_bytes(path: &Path, bytes: Vec<u8>, name: Option<&str>) -> Result<Sheet> {
        let raw = match kind(&bytes) {
            FileKind::Zip => book::read_zip(path, bytes, name)?,
            FileKind::Compound => book::read_xls(path, bytes, name)?,
            FileKind::Text => text::read(path, &bytes)?,
            FileKind::Foreign(kind) => {
                return Err(SheetError::Unsupported { path: path.into(), kind: kind.into() });
            }
        };
        build(path, raw)
    }

    /// Position of a column by its exact name, else by its name without case, blanks and marks.
    pub fn column(&self, name: &str) -> Option<usize> {
        let exact = self.columns.iter().position(|c| c == name);
        exact.or_else(|| self.columns.iter().position(|c| words::norm(c) == words::norm(name)))
    }

    /// The values of one column from the first `limit` rows that have one.
    pub fn samples(&self, column: usize, limit: usize) -> Vec<String> {
        let values = self.rows.iter().filter_map(|r| r.cells.get(column)).filter(|v| !v.is_empty());
        values.take(limit).cloned().collect()
    }

    /// The rows whose numbers `rows` names: numbers and ranges with commas, `1-20,25,30-`.
    /// They come in the order of the sheet, each once.
    ///
    /// # Errors
    /// `SheetError::Rows` for anything that is not such a list, and for rows that the sheet does not have.
    pub fn select(&self, rows: &str) -> Result<Vec<&Row>> {
        let ranges = ranges(rows, self.rows.len())?;
        Ok(self.rows.iter().filter(|r| ranges.iter().any(|(a, b)| (*a..=*b).contains(&r.number))).collect())
    }
}

/// Parses `1-20,25` for a sheet of `count` rows.
fn ranges(text: &str, count: usize) -> Result<Vec<(usize, usize)>> {
    let fail = |reason: String| SheetError::Rows { text: text.to_string(), reason };
    // Full-width digits, commas and dashes come from Chinese input methods.
    let plain = words::norm(text).replace(['，', '、'], ",").replace(['–', '—', '~', '～'], "-");
    let mut out = Vec::new();
    for part in plain.split(',').map(str::trim) {
        if part.is_empty() {
            return Err(fail(if plain.trim().is_empty() { "nothing is named" } else { "a number is missing" }.into()));
        }
        let number = |s: &str| -> Result<usize> {
            let s = s.trim();
            if s.is_empty() || !s.bytes().all(|b| b.is_ascii_digit()) {
                return Err(fail(format!("{s:?} is not a row number")));
            }
            s.parse().map_err(|_| fail(format!("{s} is too large")))
        };
        let (from, to) = match part.split_once('-') {
            None => {
                let n = number(part)?;
                (n, n)
            }
            Some((from, to)) if to.trim().is_empty() => (number(from)?, count.max(1)),
            Some((from, to)) => (number(from)?, number(to)?),
        };
        if from == 0 {
            return Err(fail("rows are counted from 1".into()));
        }
        if from > to {
            return Err(fail(format!("{from} comes after {to}")));
        }
        if from > count || (to > count && from == to) {
            return Err(fail(format!("the sheet has {count} rows")));
        }
        out.push((from, to.min(count)));
    }
    Ok(out)
}

fn load(path: &Path) -> Result<Vec<u8>> {
    let unreadable = |e: std::io::Error| match e.kind() {
        std::io::ErrorKind::NotFound => SheetError::Missing { path: path.into() },
        _ => SheetError::Unreadable { path: path.into(), reason: e.to_string() },
    };
    let meta = std::fs::metadata(path).map_err(unreadable)?;
    if meta.is_dir() {
        return Err(SheetError::Unsupported { path: path.into(), kind: "a folder".into() });
    }
    if meta.len() > MAX_BYTES {
        return Err(SheetError::TooLarge { path: path.into(), reason: format!("{} MB", meta.len() / 1_000_000) });
    }
    let mut bytes = Vec::new();
    // A device or pipe has no length of its own, hence the second limit.
    File::open(path).and_then(|f| f.take(MAX_BYTES).read_to_end(&mut bytes)).map_err(unreadable)?;
    if bytes.is_empty() {
        return Err(SheetError::Empty { path: path.into() });
    }
    Ok(bytes)
}

enum FileKind {
    Zip,
    Compound,
    Text,
    Foreign(&'static str),
}

/// Kind by content; file names lie, above all `.xls` written by other programs.
fn kind(bytes: &[u8]) -> FileKind {
    let starts = |magic: &[u8]| bytes.starts_with(magic);
    if starts(b"PK\x03\x04") || starts(b"PK\x05\x06") {
        return FileKind::Zip;
    }
    if starts(&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
        return FileKind::Compound;
    }
    let foreign = [
        (&b"%PDF"[..], "a PDF"),
        (b"\x89PNG", "a picture"),
        (b"\xff\xd8\xff", "a picture"),
        (b"GIF8", "a picture"),
        (b"\x1f\x8b", "a packed file"),
        (b"Rar!", "a packed file"),
        (b"7z\xbc\xaf", "a packed file"),
        (b"\x7fELF", "a program"),
        (b"SQLite format 3", "a database"),
        (b"{\\rtf", "a text document"),
    ];
    for (magic, name) in foreign {
        if starts(magic) {
            return FileKind::Foreign(name);
        }
    }
    let head: String = bytes.iter().take(512).map(|b| char::from(*b).to_ascii_lowercase()).collect();
    let head = head.trim_start_matches(['ï', '»', '¿', ' ', '\r', '\n', '\t']);
    if head.starts_with("<!doctype html") || head.starts_with("<html") || head.starts_with("<table") {
        return FileKind::Foreign("a web page under the name of a sheet");
    }
    if head.starts_with("<?xml") && head.contains("excel.sheet") {
        return FileKind::Foreign("an Excel 2003 XML file");
    }
    if head.starts_with("<?xml") || head.starts_with("<svg") {
        return FileKind::Foreign("an XML file");
    }
    FileKind::Text
}

/// A cell as it is compared and typed: no blanks around it, one kind of line break.
fn clean(cell: &str) -> String {
    let cell = cell.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\0'));
    // The usual trick to keep leading zeros from a spreadsheet program: ="00120".
    let cell = cell.strip_prefix("=\"").and_then(|c| c.strip_suffix('"')).unwrap_or(cell);
    if cell.contains('\r') { cell.replace("\r\n", "\n").replace('\r', "\n") } else { cell.to_string() }
}

/// Turns raw lines into columns and rows.
fn build(path: &Path, raw: Raw) -> Result<Sheet> {
    let filled = |line: &Line| line.cells.iter().filter(|c| !c.is_empty()).count();
    let mut lines = raw.lines.kept.into_iter().peekable();
    let Some(mut header) = lines.next() else {
        return Err(SheetError::Empty { path: path.into() });
    };
    // A lone cell over a line of several is a title; the column names are under it.
    let mut title = None;
    if filled(&header) == 1 && lines.peek().is_some_and(|next| filled(next) > 1) {
        title = header.cells.iter().find(|c| !c.is_empty()).cloned();
        if let Some(next) = lines.next() {
            header = next;
        }
    }
    let body: Vec<Line> = lines.collect();
    let width = header.cells.iter().rposition(|c| !c.is_empty()).map_or(0, |p| p + 1);
    let names = name_columns(&header.cells[..width], &body);
    let columns: Vec<String> = names.iter().map(|(_, name)| name.clone()).collect();
    if body.is_empty() {
        return Err(SheetError::HeadersOnly { path: path.into(), columns });
    }
    let blank_rows = body.iter().map(|l| l.blanks_before).sum::<usize>() + raw.lines.blanks;
    let rows = body.into_iter().enumerate();
    let rows = rows.map(|(i, line)| row(i + 1, line, &names, width, raw.ragged_matters)).collect();
    Ok(Sheet { name: raw.name, columns, rows, blank_rows, title, other_sheets: raw.other_sheets, format: raw.format })
}

/// Distinct names with the position they come from. A nameless column is kept when there are values under it.
fn name_columns(header: &[String], body: &[Line]) -> Vec<(usize, String)> {
    let mut out: Vec<(usize, String)> = Vec::new();
    for (i, name) in header.iter().enumerate() {
        let used = body.iter().any(|l| l.cells.get(i).is_some_and(|c| !c.is_empty()));
        if name.is_empty() && !used {
            continue;
        }
        let base = if name.is_empty() { format!("Column {}", i + 1) } else { name.replace('\n', " ") };
        let mut unique = base.clone();
        let mut n = 2;
        while out.iter().any(|(_, taken)| *taken == unique) {
            unique = format!("{base} ({n})");
            n += 1;
        }
        out.push((i, unique));
    }
    out
}

fn row(number: usize, line: Line, names: &[(usize, String)], width: usize, ragged_matters: bool) -> Row {
    let cells: Vec<String> = names.iter().map(|(i, _)| line.cells.get(*i).cloned().unwrap_or_default()).collect();
    let extra: Vec<String> = line.cells.iter().skip(width).filter(|c| !c.is_empty()).cloned().collect();
    let first = cells.iter().find(|c| !c.is_empty());
    let total = first.filter(|c| words::is(&words().all.marks.total_row, c));
    let error = names.iter().zip(&cells).find(|(_, c)| is_error(c));
    let lost = names.iter().zip(&cells).find(|(_, c)| c.contains('\u{fffd}'));
    let problem = if !extra.is_empty() {
        Some(Problem::TooLong { cells: line.cells.len(), columns: width, extra })
    } else if ragged_matters && line.cells.len() < width {
        Some(Problem::TooShort { cells: line.cells.len(), columns: width })
    } else if let Some(((_, column), shown)) = error {
        Some(Problem::ErrorCell { column: column.clone(), shown: shown.clone() })
    } else if let Some(((_, column), _)) = lost {
        Some(Problem::Unreadable { column: column.clone() })
    } else {
        total.map(|word| Problem::TotalRow { word: word.clone() })
    };
    Row { number, line: line.number, cells, problem }
}

/// What spreadsheet programs show where a formula has no value.
fn is_error(cell: &str) -> bool {
    matches!(cell, "#N/A" | "#REF!" | "#VALUE!" | "#DIV/0!" | "#NAME?" | "#NUM!" | "#NULL!" | "Err:502" | "Err:508")
}

#[cfg(test)]
mod tests;
