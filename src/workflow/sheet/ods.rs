//! ODS: the text that stands in each cell, which is what the sheet shows.
//!
//! OpenDocument stores beside each value the text as it was displayed, so nothing has to be formatted again.

use std::io::{Cursor, Read};
use std::path::Path;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::book::Grid;
use super::{Lines, MAX_BYTES, Raw, Result, SheetError};

/// One table of the document.
struct Table {
    name: String,
    hidden: bool,
    lines: Lines,
}

/// Reads the named table, or the first one with content.
pub(super) fn read(path: &Path, bytes: &[u8], name: Option<&str>) -> Result<Raw> {
    let damaged = |reason: String| SheetError::Damaged { path: path.into(), reason };
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|e| damaged(e.to_string()))?;
    let mut part = |name: &str| -> Result<String> {
        let file = archive.by_name(name).map_err(|e| damaged(e.to_string()))?;
        let mut text = Vec::new();
        file.take(MAX_BYTES).read_to_end(&mut text).map_err(|e| damaged(e.to_string()))?;
        String::from_utf8(text).map_err(|_| damaged(format!("{name} is not UTF-8")))
    };
    if part("META-INF/manifest.xml").is_ok_and(|m| m.contains("encryption-data")) {
        return Err(SheetError::Encrypted { path: path.into() });
    }
    let kind = part("mimetype").unwrap_or_default();
    if !kind.is_empty() && !kind.contains("spreadsheet") {
        return Err(SheetError::Unsupported { path: path.into(), kind: "a document without cells".into() });
    }
    let content = part("content.xml")?;
    let mut tables = tables(&content).map_err(|e| match e {
        Fault::Xml(reason) => damaged(reason),
        Fault::Large(reason) => SheetError::TooLarge { path: path.into(), reason },
    })?;
    let chosen = match name {
        Some(wanted) => tables.iter().position(|t| t.name == wanted).ok_or_else(|| SheetError::NoSuchSheet {
            path: path.into(),
            name: wanted.into(),
            sheets: tables.iter().map(|t| t.name.clone()).collect(),
        })?,
        None => match tables.iter().position(|t| !t.hidden && !t.lines.kept.is_empty()) {
            Some(at) => at,
            None => return Err(SheetError::Empty { path: path.into() }),
        },
    };
    let table = tables.swap_remove(chosen);
    let others = tables.into_iter().filter(|t| !t.hidden && !t.lines.kept.is_empty()).map(|t| t.name);
    Ok(Raw {
        name: table.name,
        lines: table.lines,
        other_sheets: others.collect(),
        format: "ODS".into(),
        ragged_matters: false,
    })
}

enum Fault {
    Xml(String),
    Large(String),
}

impl From<quick_xml::Error> for Fault {
    fn from(e: quick_xml::Error) -> Self {
        Fault::Xml(e.to_string())
    }
}

/// Where the reader stands inside a table.
#[derive(Default)]
struct Place {
    grid: Grid,
    row: u32,
    column: u32,
    row_repeat: u32,
    cell_repeat: u32,
    /// Shown text of the open cell; `None` outside of cells.
    text: Option<String>,
    paragraphs: usize,
    /// Depth inside notes and drawings, whose text is not the cell's.
    aside: usize,
    /// The cells of the open row, kept until its repetitions are known to matter.
    cells: Vec<(u32, u32, String)>,
}

fn tables(content: &str) -> std::result::Result<Vec<Table>, Fault> {
    let mut reader = Reader::from_str(content);
    let mut out: Vec<Table> = Vec::new();
    let mut hidden_styles: Vec<String> = Vec::new();
    let mut style = String::new();
    let mut open: Option<(String, bool, Place)> = None;
    let mut nested = 0usize;
    loop {
        let event = reader.read_event()?;
        let (start, empty) = match &event {
            Event::Eof => break,
            Event::Start(e) => (Some(e), false),
            Event::Empty(e) => (Some(e), true),
            Event::End(e) => {
                let Some((_, _, place)) = open.as_mut() else { continue };
                match e.local_name().as_ref() {
                    "table" if nested > 0 => nested -= 1,
                    "table" => {
                        if let Some((name, hidden, place)) = open.take() {
                            out.push(Table { name, hidden, lines: place.grid.lines() });
                        }
                    }
                    "table-row" if nested == 0 => place.end_row()?,
                    "table-cell" | "covered-table-cell" if nested == 0 => place.end_cell(),
                    "annotation" | "frame" | "custom-shape" if place.aside > 0 => place.aside -= 1,
                    _ => {}
                }
                continue;
            }
            Event::Text(t) => {
                if let Some((_, _, place)) = open.as_mut() {
                    place.add(&t.xml10_content());
                }
                continue;
            }
            Event::CData(t) => {
                if let Some((_, _, place)) = open.as_mut() {
                    place.add(&t.xml10_content());
                }
                continue;
            }
            Event::GeneralRef(r) => {
                if let Some((_, _, place)) = open.as_mut() {
                    let named = match r.as_ref() {
                        "amp" => Some('&'),
                        "lt" => Some('<'),
                        "gt" => Some('>'),
                        "quot" => Some('"'),
                        "apos" => Some('\''),
                        _ => r.resolve_char_ref()?,
                    };
                    place.add(&named.map(String::from).unwrap_or_default());
                }
                continue;
            }
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => continue,
        };
        let Some(e) = start else { continue };
        let local = e.local_name();
        match (local.as_ref(), open.as_mut()) {
            ("style", None) => style = attribute(e, "style:name")?.unwrap_or_default(),
            ("table-properties", None) if attribute(e, "table:display")?.as_deref() == Some("false") => {
                hidden_styles.push(style.clone());
            }
            ("table", None) if !empty => {
                let name = attribute(e, "table:name")?.unwrap_or_default();
                let hidden = attribute(e, "table:style-name")?.is_some_and(|s| hidden_styles.contains(&s));
                open = Some((name, hidden, Place::default()));
            }
            ("table", Some(_)) if !empty => nested += 1,
            (_, Some((_, _, place))) if nested == 0 => place.start(e, local.as_ref(), empty)?,
            (_, _) => {}
        }
    }
    Ok(out)
}

impl Place {
    fn start(&mut self, e: &BytesStart<'_>, local: &str, empty: bool) -> std::result::Result<(), Fault> {
        match local {
            "table-row" => {
                self.row_repeat = repeat(e, "table:number-rows-repeated")?;
                self.column = 0;
                self.cells.clear();
                if empty {
                    self.end_row()?;
                }
            }
            "table-cell" | "covered-table-cell" => {
                self.cell_repeat = repeat(e, "table:number-columns-repeated")?;
                self.text = Some(String::new());
                self.paragraphs = 0;
                if empty {
                    self.end_cell();
                }
            }
            "annotation" | "frame" | "custom-shape" if !empty => self.aside += 1,
            "p" | "h" if self.aside == 0 => {
                if self.paragraphs > 0 {
                    self.add("\n");
                }
                self.paragraphs += 1;
            }
            "s" => {
                let count = repeat(e, "text:c")?.min(1000) as usize;
                self.add(&" ".repeat(count));
            }
            "tab" => self.add("\t"),
            "line-break" => self.add("\n"),
            _ => {}
        }
        Ok(())
    }

    /// Text counts inside paragraphs of an open cell only; what is between tags is layout.
    fn add(&mut self, text: &str) {
        if self.aside == 0
            && self.paragraphs > 0
            && let Some(cell) = &mut self.text
        {
            cell.push_str(text);
        }
    }

    fn end_cell(&mut self) {
        let text = self.text.take().unwrap_or_default();
        if !text.trim().is_empty() {
            self.cells.push((self.column, self.cell_repeat, text));
        }
        self.column = self.column.saturating_add(self.cell_repeat);
        self.paragraphs = 0;
    }

    fn end_row(&mut self) -> std::result::Result<(), Fault> {
        let cells = std::mem::take(&mut self.cells);
        if !cells.is_empty() {
            for r in 0..self.row_repeat {
                for (column, times, text) in &cells {
                    for c in 0..*times {
                        let column = column.saturating_add(c);
                        self.grid.set(self.row.saturating_add(r), column, text.clone()).map_err(Fault::Large)?;
                    }
                }
            }
        }
        self.row = self.row.saturating_add(self.row_repeat);
        Ok(())
    }
}

fn repeat(e: &BytesStart<'_>, name: &str) -> std::result::Result<u32, Fault> {
    Ok(attribute(e, name)?.and_then(|v| v.parse().ok()).unwrap_or(1))
}

fn attribute(e: &BytesStart<'_>, name: &str) -> std::result::Result<Option<String>, Fault> {
    let found = e.try_get_attribute(name).map_err(|e| Fault::Xml(e.to_string()))?;
    let Some(found) = found else { return Ok(None) };
    Ok(Some(found.normalized_value(XmlVersion::Implicit1_0).map_err(|e| Fault::Xml(e.to_string()))?.into_owned()))
}
