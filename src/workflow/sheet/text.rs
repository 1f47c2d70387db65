//! Text files with separators: which encoding, which separator, then the records.

use std::path::Path;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, GB18030, GBK, UTF_8, UTF_16BE, UTF_16LE};

use super::{Lines, MAX_CELLS, Raw, Result, SheetError};

/// How much of a file is looked at to find its separator.
const PROBE: usize = 64 * 1024;

/// Reads the records of a text file.
pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Raw> {
    let Some((encoding, text)) = decode(bytes) else {
        return Err(SheetError::Unsupported { path: path.into(), kind: "not text".into() });
    };
    let tabs_expected =
        path.extension().is_some_and(|e| e.eq_ignore_ascii_case("tsv") || e.eq_ignore_ascii_case("tab"));
    let (separator, skip) = separator(&text, tabs_expected);
    let body = text.get(skip..).unwrap_or_default();
    let first_line = 1 + text.get(..skip).unwrap_or_default().matches('\n').count();
    if let Some(line) = open_quote(body, separator) {
        return Err(SheetError::OpenQuote { path: path.into(), line: line + first_line - 1 });
    }
    let lines = records(path, body, separator, first_line)?;
    let separator_name = match separator {
        b';' => "semicolon",
        b'\t' => "tab",
        b'|' => "bar",
        _ => "comma",
    };
    let kind = if separator == b'\t' { "TSV" } else { "CSV" };
    Ok(Raw {
        name: path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default(),
        lines,
        other_sheets: Vec::new(),
        format: format!("{kind}, {}, {separator_name}", encoding.name()),
        ragged_matters: true,
    })
}

fn records(path: &Path, body: &str, separator: u8, first_line: usize) -> Result<Lines> {
    let mut reader = reader(body.as_bytes(), separator);
    let mut lines = Lines::default();
    let mut record = csv::StringRecord::new();
    let mut cells = 0;
    // Line behind the record before; the reader passes over empty lines without a word.
    let mut expected = 1;
    loop {
        match reader.read_record(&mut record) {
            Ok(false) => break,
            Ok(true) => {}
            Err(e) => return Err(SheetError::Damaged { path: path.into(), reason: e.to_string() }),
        }
        let start = record.position().map_or(expected, |p| p.line() as usize);
        // The position of a record is where reading began, so line breaks in front of it are counted here.
        let from = record.position().map_or(0, |p| p.byte() as usize);
        let skipped = body.get(from..).map_or(0, leading_breaks);
        for blank in expected..start + skipped {
            lines.push(blank + first_line - 1, Vec::new());
        }
        lines.push(start + skipped + first_line - 1, record.iter().map(str::to_string).collect());
        cells += record.len();
        if cells > MAX_CELLS {
            return Err(SheetError::TooLarge { path: path.into(), reason: format!("over {MAX_CELLS} cells") });
        }
        expected = reader.position().line() as usize;
    }
    let rest = body.get(reader.position().byte() as usize..).map_or(0, leading_breaks);
    for i in 0..rest {
        lines.push(expected + i + first_line - 1, Vec::new());
    }
    Ok(lines)
}

fn leading_breaks(text: &str) -> usize {
    let run = &text[..text.len() - text.trim_start_matches(['\r', '\n']).len()];
    let feeds = run.matches('\n').count();
    if feeds == 0 { run.matches('\r').count() } else { feeds }
}

fn reader(bytes: &[u8], separator: u8) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(separator).from_reader(bytes)
}

/// Finds the encoding and decodes; `None` when the bytes are no text in any encoding of ours.
fn decode(bytes: &[u8]) -> Option<(&'static Encoding, String)> {
    if let Some((encoding, marks)) = Encoding::for_bom(bytes) {
        let (text, _) = encoding.decode_without_bom_handling(bytes.get(marks..)?);
        return Some((encoding, text.into_owned()));
    }
    if let Some(encoding) = bare_utf16(bytes) {
        let (text, _) = encoding.decode_without_bom_handling(bytes);
        return Some((encoding, text.into_owned()));
    }
    // A text of one byte a letter has no NUL in it; what has is a program or a database.
    if bytes.contains(&0) {
        return None;
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Some((UTF_8, text.to_string()));
    }
    let encoding = legacy(bytes);
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    let odd = text.chars().filter(|c| *c == '\u{fffd}' || (c.is_control() && !matches!(c, '\n' | '\r' | '\t'))).count();
    // A little damage is reported row by row; much of it means that this is no text.
    (odd * 20 <= text.chars().count()).then(|| (encoding, text.into_owned()))
}

/// UTF-16 without a mark: every separator and line break has a NUL beside it.
fn bare_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    if bytes.len() < 4 || !bytes.len().is_multiple_of(2) {
        return None;
    }
    let probe = &bytes[..bytes.len().min(PROBE)];
    let units = probe.chunks_exact(2);
    let total = units.len();
    let little = units.clone().filter(|u| u[1] == 0 && (u[0] >= b' ' || matches!(u[0], 9 | 10 | 13))).count();
    let big = units.filter(|u| u[0] == 0 && (u[1] >= b' ' || matches!(u[1], 9 | 10 | 13))).count();
    let (encoding, count) = if little >= big { (UTF_16LE, little) } else { (UTF_16BE, big) };
    if count * 10 < total {
        return None;
    }
    // Valid UTF-16 without control characters, else these are binary data.
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    (!text.contains(|c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r'))).then_some(encoding)
}

/// The encoding of a text that is not UTF-8: GB18030 where the bytes come in its pairs, else what the detector says.
fn legacy(bytes: &[u8]) -> &'static Encoding {
    if looks_like_gb(bytes) {
        return GB18030;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    if guess == GBK { GB18030 } else { guess }
}

/// Whether the bytes beyond ASCII read as Chinese: valid GB18030 throughout, nearly all of it in the rows of common
/// characters, and in runs (an accented letter of a western text stands alone between ASCII letters).
fn looks_like_gb(bytes: &[u8]) -> bool {
    let Some(text) = GB18030.decode_without_bom_handling_and_without_replacement(bytes) else { return false };
    let mut common = 0usize;
    let mut pairs = 0usize;
    let mut between_letters = 0usize;
    let mut i = 0;
    while let Some(&b) = bytes.get(i) {
        if b < 0x80 {
            i += 1;
            continue;
        }
        pairs += 1;
        let trail = bytes.get(i + 1).copied().unwrap_or(0);
        if matches!(b, 0xA1..=0xA9 | 0xB0..=0xF7) && trail >= 0xA1 {
            common += 1;
        }
        let before = i.checked_sub(1).and_then(|p| bytes.get(p)).is_some_and(u8::is_ascii_lowercase);
        let after = bytes.get(i + 2).is_some_and(u8::is_ascii_lowercase);
        if before && (after || trail.is_ascii()) {
            between_letters += 1;
        }
        i += 2;
    }
    let kana = text.chars().filter(|c| matches!(c, '\u{3041}'..='\u{30ff}')).count();
    pairs > 0 && common * 10 >= pairs * 9 && between_letters * 4 < pairs && kana * 4 < pairs
}

/// The separator and how many bytes of a `sep=` line stand before the header.
fn separator(text: &str, tabs_expected: bool) -> (u8, usize) {
    let first = text.lines().next().unwrap_or_default();
    let named = first.trim().strip_prefix("sep=").or_else(|| first.trim_end_matches('\r').strip_prefix("sep="));
    if let Some(&[b]) = named.map(str::as_bytes) {
        return (b, text.find('\n').map_or(text.len(), |p| p + 1));
    }
    let end = text.len().min(PROBE);
    let end = (0..=end).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    let probe = &text[..end];
    let candidates = if tabs_expected { [b'\t', b',', b';', b'|'] } else { [b',', b';', b'\t', b'|'] };
    let mut best = (candidates[0], 0.0f64);
    for candidate in candidates {
        let score = fitness(probe, candidate);
        if score > best.1 {
            best = (candidate, score);
        }
    }
    (best.0, 0)
}

/// How table-like the text is when split at this separator: the widest line's width counts, and how many agree.
fn fitness(probe: &str, separator: u8) -> f64 {
    let mut widths: Vec<usize> = Vec::new();
    for record in reader(probe.as_bytes(), separator).byte_records().take(60) {
        match record {
            // A lone cell is a title, or a line that does not matter.
            Ok(r) if r.iter().any(|c| !c.is_empty()) => widths.push(r.len()),
            Ok(_) => {}
            Err(_) => return 0.0,
        }
    }
    let Some(header) = widths.iter().copied().find(|w| *w > 1) else { return 0.0 };
    let agreeing = widths.iter().filter(|w| **w == header).count() as f64 / widths.len() as f64;
    agreeing * agreeing * (header as f64).ln_1p()
}

/// The line where a quoted cell begins that never ends; everything behind it would become one value.
fn open_quote(text: &str, separator: u8) -> Option<usize> {
    let mut line = 1;
    let mut opened = 0;
    let mut quoted = false;
    let mut cell_start = true;
    let mut bytes = text.bytes().peekable();
    while let Some(b) = bytes.next() {
        if b == b'\n' {
            line += 1;
        }
        if quoted {
            if b == b'"' && bytes.next_if_eq(&b'"').is_none() {
                quoted = false;
            }
        } else if b == b'"' && cell_start {
            quoted = true;
            opened = line;
            cell_start = false;
        } else {
            cell_start = b == separator || b == b'\n' || b == b'\r';
        }
    }
    quoted.then_some(opened)
}
