//! Tables in a scene: cells in rows and columns, with the fields, links and boxes to tick that stand in them.
//!
//! Rows and columns are found by the cells' boxes alone: what overlaps by more than half of the lesser is one.

use super::area::Area;
use super::text::{bare, condition, item_named};
use super::{Element, Role, State};

/// Fewer cells are no table.
const FEWEST_CELLS: usize = 4;
/// Cells of one table are at most so many of their heights apart, across and down: empty cells are not seen.
const CELL_REACH: (i64, i64) = (12, 2);
/// Of longer tables the middle is left out...
const MOST_ROWS: usize = 12;
/// ...and so many rows at each end are told.
const ROWS_AT_END: usize = 6;

/// What stands in one cell: mostly one element.
type Slot<'a> = Vec<&'a Element>;

/// One table: each row has as many slots as there are columns.
pub(super) struct Table<'a> {
    area: Area,
    rows: Vec<Vec<Slot<'a>>>,
}

/// All tables among the elements, and the elements that are in none.
pub(super) fn tables<'a>(elements: &[&'a Element]) -> (Vec<Table<'a>>, Vec<&'a Element>) {
    let (cells, mut rest): (Vec<&Element>, Vec<&Element>) = elements.iter().partition(|e| e.role == Role::Cell);
    let mut tables = Vec::new();
    for group in neighbours(cells) {
        match Frame::around(&group) {
            Some(frame) => {
                let (inside, outside) = rest.into_iter().partition(|e| frame.holds(e));
                rest = outside;
                tables.push(frame.filled(group, inside));
            }
            None => rest.extend(group),
        }
    }
    (tables, rest)
}

impl Table<'_> {
    /// Where it begins: the height of its first row's middle, its left side.
    pub(super) fn place(&self) -> (i64, i64) {
        let first = self.rows.first().into_iter().flatten().flatten().map(|e| Area::of(e.bbox).middle().1).min();
        (first.unwrap_or(self.area.y0), self.area.x0)
    }

    /// The line with the heads, then a line for each row; of a long table the middle is only counted.
    pub(super) fn lines(&self) -> Vec<String> {
        let (heads, rows) = match self.rows.split_first() {
            Some((first, rows)) if is_heads(first) && !rows.is_empty() => (Some(first), rows),
            Some(_) | None => (None, self.rows.as_slice()),
        };
        let names: Vec<String> = heads.into_iter().flatten().map(|slot| head_name(slot)).collect();
        let mut lines = Vec::new();
        match heads {
            Some(slots) => {
                let told: Vec<String> = slots.iter().map(|slot| slot_text(slot, head_text)).collect();
                lines.push(format!("table: {}", told.join(" | ")));
            }
            None => match rows.first().map_or(0, Vec::len) {
                1 => lines.push("table of 1 column:".into()),
                columns => lines.push(format!("table of {columns} columns:")),
            },
        }
        let mut left_out = 0;
        for (number, row) in (1..).zip(rows) {
            if is_cut(number, row, rows.len()) {
                left_out += 1;
            } else {
                lines.extend(left_out_line(number, left_out));
                left_out = 0;
                lines.push(row_line(number, row, &names));
            }
        }
        lines
    }
}

/// Whether the row is passed over: in the middle of a long table, unless it has the focus or is selected.
fn is_cut(number: usize, row: &[Slot], rows: usize) -> bool {
    let in_middle = number > ROWS_AT_END && number + ROWS_AT_END <= rows;
    let is_marked = row.iter().flatten().any(|e| e.is(State::Focused) || e.is(State::Selected));
    rows > MOST_ROWS && in_middle && !is_marked
}

/// The note before row `number` that so many rows before it were left out.
fn left_out_line(number: usize, left_out: usize) -> Option<String> {
    match left_out {
        0 => None,
        1 => Some(format!("… r{} left out", number - 1)),
        _ => Some(format!("… {left_out} rows left out: r{}-r{}", number - left_out, number - 1)),
    }
}

/// Whether the first row names the columns: words without figures, nothing to fill in.
fn is_heads(row: &[Slot]) -> bool {
    let in_row = || row.iter().flatten();
    let is_word = |e: &&Element| !e.name().is_empty() && !e.name().chars().any(char::is_numeric);
    in_row().any(|e| e.role == Role::Cell)
        && in_row().filter(|e| is_words(e)).all(is_word)
        && in_row().all(|e| e.value.is_none())
}

/// The words at the head of a column.
fn head_name(slot: &[&Element]) -> String {
    let words: Vec<&str> = slot.iter().filter(|e| is_words(e)).map(|e| e.name()).collect();
    words.join(" ")
}

/// A head's words need no number; what can be clicked keeps it.
fn head_text(element: &Element) -> String {
    if is_words(element) {
        format!("{}{}", bare(element.name()), condition(element))
    } else {
        item_named(element, element.name())
    }
}

/// `r3: 21 Rope | 22 12 | 23 textbox = "4.50"`.
fn row_line(number: usize, row: &[Slot], heads: &[String]) -> String {
    let mut told = Vec::new();
    for (column, slot) in row.iter().enumerate() {
        let head = heads.get(column).map(String::as_str);
        told.push(slot_text(slot, |element| {
            if is_words(element) {
                return format!("{} {}{}", element.id, bare(element.name()), condition(element));
            }
            // A field's name that is the column's, or that of other words in the row, is told there.
            let name = element.name();
            let is_told = element.role.is_field()
                && (head == Some(name) || row.iter().flatten().any(|e| is_name_bearer(e) && e.name() == name));
            item_named(element, if is_told { "" } else { name })
        }));
    }
    format!("r{number}: {}", told.join(" | "))
}

/// What names a row's box to tick: words and links.
fn is_name_bearer(element: &Element) -> bool {
    is_words(element) || element.role == Role::Link
}

fn is_words(element: &Element) -> bool {
    matches!(element.role, Role::Cell | Role::Text)
}

/// The things in one slot; `-` when there is nothing.
fn slot_text(slot: &[&Element], text: impl Fn(&Element) -> String) -> String {
    let told: Vec<String> = slot.iter().map(|e| text(e)).collect();
    if told.is_empty() { "-".into() } else { told.join("; ") }
}

/// Groups of cells that are near each other.
fn neighbours(cells: Vec<&Element>) -> Vec<Vec<&Element>> {
    let mut left = cells;
    let mut groups = Vec::new();
    while let Some(first) = left.pop() {
        let mut group = vec![first];
        let mut done = 0;
        while let Some(cell) = group.get(done) {
            let area = Area::of(cell.bbox);
            let (near, far) = left.into_iter().partition(|other| is_near(area, Area::of(other.bbox)));
            left = far;
            group.extend::<Vec<&Element>>(near);
            done += 1;
        }
        groups.push(group);
    }
    groups
}

fn is_near(a: Area, b: Area) -> bool {
    let height = a.height().max(b.height());
    let (across, down) = a.gap(b);
    across <= CELL_REACH.0 * height && down <= CELL_REACH.1 * height
}

/// Rows and columns of a table, as stretches down and across.
struct Frame {
    area: Area,
    rows: Vec<Stretch>,
    columns: Vec<Stretch>,
}

impl Frame {
    /// The rows and columns of the cells when they form a table.
    fn around(cells: &[&Element]) -> Option<Frame> {
        let areas: Vec<Area> = cells.iter().map(|c| Area::of(c.bbox)).collect();
        let area = areas.iter().copied().reduce(Area::union)?;
        let rows = bands(areas.iter().map(|a| Stretch::new(a.y0, a.y1)).collect());
        let columns = bands(areas.iter().map(|a| Stretch::new(a.x0, a.x1)).collect());
        (cells.len() >= FEWEST_CELLS && rows.len() >= 2).then_some(Frame { area, rows, columns })
    }

    /// Whether something that is no cell stands in one of the rows, or right beside its end.
    fn holds(&self, element: &Element) -> bool {
        let area = Area::of(element.bbox);
        let height = area.middle().1;
        let row = self.rows.iter().find(|row| (row.from..row.to).contains(&height));
        row.is_some_and(|row| {
            let tall = row.to - row.from;
            area.height() <= tall + tall / 2 && area.gap(self.area).0 <= tall / 2
        })
    }

    /// The table with everything in its place.
    fn filled<'a>(&self, cells: Vec<&'a Element>, others: Vec<&'a Element>) -> Table<'a> {
        let mut rows: Vec<Vec<Slot>> = vec![vec![Vec::new(); self.columns.len()]; self.rows.len()];
        for element in cells.into_iter().chain(others) {
            let area = Area::of(element.bbox);
            let row = nearest(&self.rows, Stretch::new(area.y0, area.y1));
            let column = nearest(&self.columns, Stretch::new(area.x0, area.x1));
            if let Some(slot) = rows.get_mut(row).and_then(|row| row.get_mut(column)) {
                slot.push(element);
            }
        }
        for slot in rows.iter_mut().flatten() {
            slot.sort_by_key(|e| (Area::of(e.bbox).x0, e.id));
        }
        Table { area: self.area, rows }
    }
}

/// A part of one axis; never empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stretch {
    from: i64,
    to: i64,
}

impl Stretch {
    fn new(from: i64, to: i64) -> Stretch {
        Stretch { from, to: to.max(from + 1) }
    }

    fn length(self) -> i64 {
        self.to - self.from
    }

    /// What both have in common; negative: how far they are apart.
    fn common(self, other: Stretch) -> i64 {
        self.to.min(other.to) - self.from.max(other.from)
    }
}

/// The rows (or columns) that the stretches lie in, in order. The shortest make them, so that a cell over two columns
/// does not join them.
fn bands(mut stretches: Vec<Stretch>) -> Vec<Stretch> {
    stretches.sort_by_key(|s| (s.length(), s.from));
    let mut bands: Vec<Stretch> = Vec::new();
    for stretch in stretches {
        let is_new = !bands.iter().any(|band| 2 * band.common(stretch) > band.length().min(stretch.length()));
        if is_new {
            bands.push(stretch);
        }
    }
    bands.sort_by_key(|band| (band.from, band.to));
    bands
}

/// The band that shares most with the stretch, the first of them.
fn nearest(bands: &[Stretch], stretch: Stretch) -> usize {
    let best = bands.iter().enumerate().max_by_key(|(index, band)| (band.common(stretch), std::cmp::Reverse(*index)));
    best.map_or(0, |(index, _)| index)
}
