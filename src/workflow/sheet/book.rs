//! Workbooks: XLSX with its number formats, XLSB, and XLS with the formats that [`super::biff`] finds.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::path::Path;

use calamine::{
    CellErrorType, Data, DataRef, ExcelDateTime, Reader, SheetType, SheetVisible, Style, Xls, XlsError, Xlsb, Xlsx,
    XlsxError,
};

use crate::quiet::quietly;

use super::number::{Moment, general, is_date_code, show, show_date};
use super::{Lines, MAX_BYTES, MAX_CELLS, Raw, Result, SheetError, biff, ods};

type Bytes = Cursor<Vec<u8>>;

/// Reads a zip file: XLSX, XLSM, XLSB or ODS, told apart by what is inside.
pub(super) fn read_zip(path: &Path, bytes: Vec<u8>, name: Option<&str>) -> Result<Raw> {
    let damaged = |reason: String| SheetError::Damaged { path: path.into(), reason };
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes.as_slice())).map_err(|e| damaged(e.to_string()))?;
    for i in 0..archive.len() {
        let mut part = archive.by_index(i).map_err(|e| damaged(e.to_string()))?;
        if part.size() > 4 * MAX_BYTES {
            return Err(too_large(path, format!("{} MB unpacked", part.size() / 1_000_000)));
        }
        let is_strings = part.name().is_ok_and(|n| n.to_lowercase().ends_with("sharedstrings.xml"));
        if is_strings && claimed_strings(&mut part) > part.size() {
            return Err(damaged("it claims more texts than it has".into()));
        }
    }
    let inside: Vec<String> = archive.file_names().flatten().map(|n| n.to_lowercase()).collect();
    let has = |wanted: &str| inside.iter().any(|n| n == wanted);
    if has("xl/workbook.bin") {
        return guarded(path, || xlsb(path, bytes, name));
    }
    if has("xl/workbook.xml") || inside.iter().any(|n| n.starts_with("xl/")) {
        return guarded(path, || xlsx(path, bytes, name));
    }
    if has("content.xml") {
        return ods::read(path, &bytes, name);
    }
    let kind = if has("word/document.xml") {
        "a text document"
    } else if has("ppt/presentation.xml") {
        "a presentation"
    } else {
        "a packed file"
    };
    Err(SheetError::Unsupported { path: path.into(), kind: kind.into() })
}

/// How many texts the table of texts says it has; memory is reserved for as many before they are read.
fn claimed_strings(part: &mut impl Read) -> u64 {
    let mut head = Vec::new();
    if part.take(4096).read_to_end(&mut head).is_err() {
        return 0;
    }
    let head = String::from_utf8_lossy(&head);
    let Some((_, behind)) = head.split_once("uniqueCount") else { return 0 };
    let digits: String = behind.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(u64::MAX)
}

/// Reads an XLS file, or says that a compound file is something else.
pub(super) fn read_xls(path: &Path, bytes: Vec<u8>, name: Option<&str>) -> Result<Raw> {
    // A protected XLSX is a compound file with the encrypted package as a stream of this name (UTF-16).
    let marker: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    if bytes.windows(marker.len()).any(|w| w == marker) {
        return Err(SheetError::Encrypted { path: path.into() });
    }
    biff::check(&bytes).map_err(|reason| SheetError::Damaged { path: path.into(), reason })?;
    guarded(path, || xls(path, bytes, name))
}

/// Runs a reader of foreign code; some damaged files make it panic, which is a finding about the file.
fn guarded(path: &Path, read: impl FnOnce() -> Result<Raw>) -> Result<Raw> {
    quietly(read).unwrap_or_else(|_| {
        Err(SheetError::Damaged { path: path.into(), reason: "its parts contradict each other".into() })
    })
}

fn xlsx(path: &Path, bytes: Vec<u8>, name: Option<&str>) -> Result<Raw> {
    let fail = |e: XlsxError| match e {
        XlsxError::Password => SheetError::Encrypted { path: path.into() },
        other => SheetError::Damaged { path: path.into(), reason: other.to_string() },
    };
    let mut book: Xlsx<Bytes> = Xlsx::new(Cursor::new(bytes)).map_err(fail)?;
    let names = candidates(path, &book, name)?;
    choose(names, "XLSX", |sheet| xlsx_lines(path, &mut book, sheet).map_err(|e| e.unwrap_or_else(fail)))
}

/// An error of the reader, or one of ours.
enum Failure {
    Book(XlsxError),
    Ours(SheetError),
}

impl Failure {
    fn unwrap_or_else(self, turn: impl FnOnce(XlsxError) -> SheetError) -> SheetError {
        match self {
            Failure::Book(e) => turn(e),
            Failure::Ours(e) => e,
        }
    }
}

fn xlsx_lines(path: &Path, book: &mut Xlsx<Bytes>, sheet: &str) -> std::result::Result<Lines, Failure> {
    let mut reader = book.worksheet_cells_reader(sheet).map_err(Failure::Book)?;
    let styles = reader.styles().to_vec();
    let mut grid = Grid::default();
    while let Some((cell, style)) = reader.next_cell_with_style_id().map_err(Failure::Book)? {
        let (row, column) = cell.get_position();
        let shown = shown_ref(cell.get_value(), styles.get(style));
        grid.set(row, column, shown).map_err(|reason| Failure::Ours(too_large(path, reason)))?;
    }
    Ok(grid.lines())
}

fn xlsb(path: &Path, bytes: Vec<u8>, name: Option<&str>) -> Result<Raw> {
    let fail = |e: calamine::XlsbError| match e {
        calamine::XlsbError::Password => SheetError::Encrypted { path: path.into() },
        other => SheetError::Damaged { path: path.into(), reason: other.to_string() },
    };
    let mut book: Xlsb<Bytes> = Xlsb::new(Cursor::new(bytes)).map_err(fail)?;
    let names = candidates(path, &book, name)?;
    choose(names, "XLSB", |sheet| {
        let mut reader = book.worksheet_cells_reader(sheet).map_err(fail)?;
        let mut grid = Grid::default();
        while let Some(cell) = reader.next_cell().map_err(fail)? {
            let (row, column) = cell.get_position();
            let text = shown_ref(cell.get_value(), None);
            grid.set(row, column, text).map_err(|reason| too_large(path, reason))?;
        }
        Ok(grid.lines())
    })
}

fn xls(path: &Path, bytes: Vec<u8>, name: Option<&str>) -> Result<Raw> {
    let fail = |e: XlsError| match e {
        XlsError::Password => SheetError::Encrypted { path: path.into() },
        other => SheetError::Damaged { path: path.into(), reason: other.to_string() },
    };
    // Without the formats the values are still right, only less like what the sheet shows.
    let formats = biff::formats(&bytes).unwrap_or_default();
    let mut book: Xls<Bytes> = Xls::new(Cursor::new(bytes)).map_err(fail)?;
    let names = candidates(path, &book, name)?;
    let none = BTreeMap::new();
    choose(names, "XLS", |sheet| {
        let range = book.worksheet_range(sheet).map_err(fail)?;
        let start = range.start().unwrap_or_default();
        let cells = range.used_cells().map(|(r, c, v)| ((start.0 + r as u32, start.1 + c as u32), v.clone()));
        fill(path, cells.collect(), formats.get(sheet).unwrap_or(&none))
    })
}

/// Cells with their positions into lines, with number formats by position where they are known.
fn fill(path: &Path, cells: Vec<((u32, u32), Data)>, formats: &BTreeMap<(u32, u32), String>) -> Result<Lines> {
    let mut grid = Grid::default();
    for (at, value) in cells {
        let code = formats.get(&at).map(String::as_str);
        grid.set(at.0, at.1, shown(&value, code)).map_err(|reason| too_large(path, reason))?;
    }
    Ok(grid.lines())
}

fn too_large(path: &Path, reason: String) -> SheetError {
    SheetError::TooLarge { path: path.into(), reason }
}

/// The sheets to try: the named one, or all visible worksheets in their order.
fn candidates<R: Reader<Bytes>>(path: &Path, book: &R, name: Option<&str>) -> Result<Vec<String>> {
    let sheets = book.sheets_metadata().iter().filter(|s| s.typ == SheetType::WorkSheet);
    let all: Vec<String> = sheets.clone().map(|s| s.name.clone()).collect();
    match name {
        Some(name) if all.iter().any(|n| n == name) => Ok(vec![name.to_string()]),
        Some(name) => Err(SheetError::NoSuchSheet { path: path.into(), name: name.into(), sheets: all }),
        None => Ok(sheets.filter(|s| s.visible == SheetVisible::Visible).map(|s| s.name.clone()).collect()),
    }
}

/// The first sheet with content; the other non-empty ones are named.
fn choose(names: Vec<String>, format: &str, mut read: impl FnMut(&str) -> Result<Lines>) -> Result<Raw> {
    let mut chosen: Option<(String, Lines)> = None;
    let mut other_sheets = Vec::new();
    for name in names {
        match (&chosen, read(&name)) {
            (None, Ok(lines)) if !lines.kept.is_empty() => chosen = Some((name, lines)),
            (None, Err(e)) => return Err(e),
            (Some(_), Ok(lines)) if !lines.kept.is_empty() => other_sheets.push(name),
            // An unreadable sheet that nobody asked for does not matter.
            (Some(_), Err(_)) | (_, Ok(_)) => {}
        }
    }
    let (name, lines) = chosen.unwrap_or_default();
    Ok(Raw { name, lines, other_sheets, format: format.into(), ragged_matters: false })
}

/// Sparse cells on their way to lines; refuses what would fill the memory.
#[derive(Debug, Default)]
pub(super) struct Grid {
    rows: BTreeMap<u32, Vec<String>>,
    cells: usize,
    last_row: u32,
}

impl Grid {
    /// Puts a shown value at a 0-based place.
    pub(super) fn set(&mut self, row: u32, column: u32, shown: String) -> std::result::Result<(), String> {
        self.last_row = self.last_row.max(row);
        if shown.is_empty() {
            return Ok(());
        }
        let cells = self.rows.entry(row).or_default();
        let needed = column as usize + 1;
        if cells.len() < needed {
            self.cells += needed - cells.len();
            if column >= 16_384 || self.cells > MAX_CELLS {
                return Err(format!("over {MAX_CELLS} cells"));
            }
            cells.resize(needed, String::new());
        }
        if let Some(cell) = cells.get_mut(column as usize) {
            *cell = shown;
        }
        Ok(())
    }

    pub(super) fn lines(self) -> Lines {
        let mut lines = Lines::default();
        for (row, cells) in self.rows {
            lines.push_at(row as usize + 1, cells);
        }
        // Formatted but empty lines at the end count as blank, too.
        lines.blanks += (self.last_row as usize + 1).saturating_sub(lines.last);
        lines
    }
}

/// A format that depends on the reader's country; shown as ISO.
const SYSTEM_DATE: u32 = 14;
const SYSTEM_DATE_TIME: u32 = 22;

fn shown_ref(value: &DataRef<'_>, style: Option<&Style>) -> String {
    let format = style.and_then(|s| s.number_format.as_ref());
    let id = format.and_then(|f| f.format_id);
    let code = format.map(|f| f.format_code.as_str()).filter(|_| !matches!(id, Some(SYSTEM_DATE | SYSTEM_DATE_TIME)));
    match value {
        DataRef::SharedString(text) => (*text).to_string(),
        DataRef::String(text) => text.clone(),
        DataRef::Int(i) => shown(&Data::Int(*i), code),
        DataRef::Float(f) => shown(&Data::Float(*f), code),
        DataRef::Bool(b) => shown(&Data::Bool(*b), code),
        DataRef::DateTime(d) => shown(&Data::DateTime(*d), code),
        DataRef::DateTimeIso(text) => shown(&Data::DateTimeIso(text.clone()), code),
        DataRef::DurationIso(text) => shown(&Data::DurationIso(text.clone()), code),
        DataRef::Error(e) => error(e).to_string(),
        DataRef::Empty => String::new(),
    }
}

fn shown(value: &Data, code: Option<&str>) -> String {
    match value {
        Data::Int(i) => code.map_or_else(|| i.to_string(), |code| show(*i as f64, code)),
        Data::Float(f) => match code {
            Some(code) if is_date_code(code) => {
                let moment = moment(&ExcelDateTime::new(*f, calamine::ExcelDateTimeType::DateTime, false));
                show_date(&moment, code)
            }
            Some(code) => show(*f, code),
            None => general(*f),
        },
        Data::String(text) => text.clone(),
        Data::Bool(true) => "TRUE".into(),
        Data::Bool(false) => "FALSE".into(),
        Data::DateTime(d) => {
            let moment = moment(d);
            code.map_or_else(|| moment.iso(), |code| show_date(&moment, code))
        }
        Data::DateTimeIso(text) => text.trim_end_matches("T00:00:00").replace('T', " "),
        Data::DurationIso(text) => text.clone(),
        Data::Error(e) => error(e).to_string(),
        Data::Empty => String::new(),
    }
}

fn moment(date: &ExcelDateTime) -> Moment {
    let (year, month, day, hour, minute, second, milli) = date.to_ymd_hms_milli();
    Moment { year, month, day, hour, minute, second, milli, serial: date.as_f64() }
}

fn error(e: &CellErrorType) -> &'static str {
    match e {
        CellErrorType::Div0 => "#DIV/0!",
        CellErrorType::NA => "#N/A",
        CellErrorType::Name => "#NAME?",
        CellErrorType::Null => "#NULL!",
        CellErrorType::Num => "#NUM!",
        CellErrorType::Ref => "#REF!",
        CellErrorType::Value => "#VALUE!",
        CellErrorType::GettingData => "#GETTING_DATA",
    }
}
