//! The sheet with what became of each row, as a bookkeeper files it (E8).

use super::entry::RowOutcome;
use super::sheet::{Row, Sheet};

/// The rows with a status and a reason column, as CSV that spreadsheet programs open with the right characters.
///
/// # Errors
/// Never in practice: writing goes to memory.
pub fn csv(sheet: &Sheet, rows: &[&Row], outcomes: &[RowOutcome]) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer("\u{feff}".as_bytes().to_vec());
    let header = ["row"].into_iter().chain(sheet.columns.iter().map(String::as_str)).chain(["status", "reason"]);
    writer.write_record(header)?;
    for row in rows {
        let outcome = outcomes.iter().find(|outcome| outcome.row == row.number);
        let number = row.number.to_string();
        let (status, reason) = outcome.map_or(("", ""), |o| (o.state.name(), o.reason.as_str()));
        let record = [number.as_str()].into_iter().chain(row.cells.iter().map(String::as_str)).chain([status, reason]);
        writer.write_record(record)?;
    }
    writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))
}
