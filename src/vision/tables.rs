//! Tables to write in: a grid of boxes in which some are fields is a form, and its other boxes are fields, too.
//!
//! One box of a grid looks like a cell of a table to read, whether one can write in it or not. What tells both kinds apart
//! stands elsewhere in the grid: a list to choose from, or boxes that are surely fields.

use super::lines::Line;
use super::nodes::{Node, Verdict, grid_cells};
use super::pixels;
use super::shapes::Shapes;
use crate::scene::{ImageRect, Role};

/// Boxes of one row of a table stand at most this far apart.
const ROW_GAP: i32 = 30;
/// Their upper and lower edges differ by at most this.
const PLAY: i32 = 4;
/// A list to choose from makes a grid one to write in when it is at least this part of it: 1 / 12.
const LISTS: usize = 12;
/// Fields do when they are at least this part: 1 / 3.
const FIELDS: usize = 3;

/// Words over a grid end at most this far from it.
const HEAD_GAP: i32 = 26;
/// Words begin or end at most this far inside of their box.
const MARGIN: i32 = 16;
/// Fewer boxes than these make no grid.
const LEAST_GRID: usize = 4;
/// The arrow of a list to choose from stands in a part this wide behind its box.
const ARROW: std::ops::RangeInclusive<i32> = 8..=26;

/// Ink that may be the arrow of a list to choose from.
pub(super) fn arrows(shapes: &Shapes) -> Vec<ImageRect> {
    let is_arrow = |b: &ImageRect| {
        (5..=12).contains(&b.width()) && (3..=9).contains(&b.height()) && 10 * b.width() >= 12 * b.height()
    };
    shapes.segments.blobs.iter().map(|b| b.bbox).filter(is_arrow).collect()
}

/// Gives the boxes of tables to write in the role of fields, but for their heads.
pub(super) fn open(nodes: &mut [Node], lines: &[Line], ticks: &[ImageRect], arrows: &[ImageRect]) {
    for members in grids(nodes) {
        join_arrows(nodes, &members, arrows);
        let (heads, body) = heads_and_body(nodes, lines, members);
        let count = |role: Role| body.iter().filter(|i| nodes[**i].role == Verdict::Is(role)).count();
        let (lists, fields) = (count(Role::Combobox), count(Role::Textbox) + count(Role::Combobox));
        let is_form = fields >= 2 && (FIELDS * fields >= body.len() || LISTS * lists >= body.len());
        if !is_form {
            continue;
        }
        for i in heads {
            take_as_head(nodes, i);
        }
        for i in body.iter().copied() {
            let bbox = nodes[i].rect.outer;
            // A column for pictures to click is as narrow as it is high.
            let is_narrow = bbox.width() <= bbox.height() + PLAY;
            if is_narrow || ticks.iter().any(|t| bbox.contains(t.center())) {
                continue;
            }
            let is_cell = matches!(nodes[i].role, Verdict::Is(Role::Cell | Role::Listitem) | Verdict::Container);
            if is_cell || (nodes[i].role == Verdict::Is(Role::Button) && is_like_its_column(nodes, lines, &body, i)) {
                nodes[i].role = Verdict::Is(Role::Textbox);
                for part in nodes[i].children.clone() {
                    nodes[part].role = Verdict::Part;
                }
            }
        }
    }
}

/// Boxes with a gap behind them in which an arrow points down are lists to choose from, where a column of them is so.
fn join_arrows(nodes: &mut [Node], members: &[usize], arrows: &[ImageRect]) {
    let arrow_behind = |i: usize| {
        let me = nodes[i].rect.outer;
        let next = members.iter().map(|j| nodes[*j].rect.outer).filter(|o| is_in_row(me, *o) && o.min.x > me.max.x);
        let gap = pixels::rect(me.max.x - 1, me.min.y, next.map(|o| o.min.x).min()? + 1, me.max.y);
        let has_arrow = ARROW.contains(&gap.width()) && arrows.iter().any(|a| gap.contains_box(a));
        has_arrow.then(|| pixels::rect(me.min.x, me.min.y, gap.max.x - 1, me.max.y))
    };
    let found: Vec<(usize, ImageRect)> = members.iter().filter_map(|i| Some((*i, arrow_behind(*i)?))).collect();
    for (i, whole) in &found {
        let is_column = found.iter().filter(|(_, o)| (o.min.x - whole.min.x).abs() <= PLAY).count() >= 2;
        if is_column {
            nodes[*i].role = Verdict::Is(Role::Combobox);
            nodes[*i].rect.outer = *whole;
        }
    }
}

/// The boxes of each grid: those that touch others beside and below, put together where they are in one row or column.
fn grids(nodes: &[Node]) -> Vec<Vec<usize>> {
    let outers: Vec<ImageRect> = nodes.iter().map(|n| n.rect.outer).collect();
    let in_grid = grid_cells(&outers);
    // A list to choose from may be higher than the boxes beside it.
    let is_field = |i: usize| matches!(nodes[i].role, Verdict::Is(Role::Textbox | Role::Combobox));
    let is_box = |i: usize| nodes[i].role != Verdict::Part && (in_grid[i] || is_field(i));
    let mut open: Vec<usize> = (0..nodes.len()).filter(|i| is_box(*i)).collect();
    let mut grids = Vec::new();
    while let Some(first) = open.pop() {
        let mut grid = vec![first];
        let mut next = 0;
        while let Some(me) = grid.get(next).copied() {
            let (near, far) = open.into_iter().partition(|other| belong_together(outers[me], outers[*other]));
            let near: Vec<usize> = near;
            grid.extend(near);
            open = far;
            next += 1;
        }
        if grid.iter().filter(|i| in_grid[**i]).count() >= LEAST_GRID {
            grids.push(grid);
        }
    }
    grids
}

fn belong_together(a: ImageRect, b: ImageRect) -> bool {
    is_in_row(a, b) || is_in_column(a, b)
}

fn is_in_row(a: ImageRect, b: ImageRect) -> bool {
    let gap = (b.min.x - a.max.x).max(a.min.x - b.max.x);
    (a.min.y - b.min.y).abs() <= PLAY && (a.max.y - b.max.y).abs() <= PLAY && (-PLAY..=ROW_GAP).contains(&gap)
}

fn is_in_column(a: ImageRect, b: ImageRect) -> bool {
    let gap = (b.min.y - a.max.y).max(a.min.y - b.max.y);
    (a.min.x - b.min.x).abs() <= PLAY && (a.max.x - b.max.x).abs() <= PLAY && (-PLAY..=PLAY).contains(&gap)
}

/// Cuts the grid into the row of its heads (none where they stand over it) and the rest.
fn heads_and_body(nodes: &[Node], lines: &[Line], members: Vec<usize>) -> (Vec<usize>, Vec<usize>) {
    let Some(top) = members.iter().map(|i| nodes[*i].rect.outer.min.y).min() else { return (Vec::new(), members) };
    let (head, body): (Vec<usize>, Vec<usize>) =
        members.iter().partition(|i| nodes[**i].rect.outer.min.y - top <= PLAY);
    let text = |i: usize| text_in(nodes[i].rect.outer, lines);
    let has_figures = |i: &usize| text(*i).chars().any(|c| c.is_ascii_digit());
    let is = |i: &usize, role| nodes[*i].role == Verdict::Is(role);
    let has_words = head.iter().filter(|i| text(**i).chars().any(char::is_alphabetic)).count();
    let may_be_heads = 2 * has_words > head.len() && !head.iter().any(|i| has_figures(i) || is(i, Role::Combobox));
    let looks_apart = match (head.first(), body.first()) {
        (Some(h), Some(b)) => {
            let (h, b) = (&nodes[*h].rect, &nodes[*b].rect);
            pixels::distance(h.fill, b.fill) > 2 || (h.outer.height() - b.outer.height()).abs() > PLAY
        }
        _ => false,
    };
    let is_apart = looks_apart && !head.iter().any(|i| is(i, Role::Textbox));
    // Words over figures or over nothing are heads, unless others stand over them.
    let is_over_values = body.iter().any(|i| has_figures(i) || text(*i).is_empty());
    let is_head = may_be_heads && (is_apart || (is_over_values && !has_heads_above(nodes, lines, &head)));
    if is_head { (head, body) } else { (Vec::new(), members) }
}

/// Makes a box a head, and what was seen in it (a tab, a link) a part of it.
fn take_as_head(nodes: &mut [Node], i: usize) {
    let head = nodes[i].rect.outer;
    let is_in_it = |n: &Node| matches!(n.role, Verdict::Is(_)) && head.contains(n.rect.outer.center());
    let parts: Vec<usize> = (0..nodes.len()).filter(|p| *p != i && is_in_it(&nodes[*p])).collect();
    for p in parts {
        nodes[p].role = Verdict::Part;
        let words = std::mem::take(&mut nodes[p].lines);
        nodes[i].lines.extend(words);
    }
    nodes[i].role = Verdict::Is(Role::Cell);
}

/// All words in a box.
fn text_in(bbox: ImageRect, lines: &[Line]) -> String {
    lines.iter().filter(|l| bbox.contains(l.bbox.center())).map(|l| l.text.as_str()).collect()
}

/// Whether words stand over the row as the heads of its columns, two or more.
fn has_heads_above(nodes: &[Node], lines: &[Line], row: &[usize]) -> bool {
    let boxes: Vec<ImageRect> = row.iter().map(|i| nodes[*i].rect.outer).collect();
    let stands_over = |b: &&ImageRect| {
        lines.iter().any(|l| {
            let (gap, w) = (b.min.y - l.bbox.max.y, l.bbox);
            let is_aligned = (-PLAY..=MARGIN).contains(&(w.min.x - b.min.x))
                || (-PLAY..=MARGIN).contains(&(b.max.x - w.max.x))
                || (w.center().x - b.center().x).abs() <= PLAY;
            (-2..=HEAD_GAP).contains(&gap) && is_aligned
        })
    };
    2 * boxes.iter().filter(stands_over).count() > boxes.len()
}

/// Whether a box that looks like a button stands among the values of a column: figures, or above or below fields.
fn is_like_its_column(nodes: &[Node], lines: &[Line], body: &[usize], i: usize) -> bool {
    let me = nodes[i].rect.outer;
    let is_figure = !text_in(me, lines).chars().any(char::is_alphabetic);
    let mate = |j: &usize| {
        let o = nodes[*j].rect.outer;
        let is_value = matches!(nodes[*j].role, Verdict::Is(Role::Textbox | Role::Cell | Role::Combobox));
        *j != i && is_value && (o.min.x - me.min.x).abs() <= PLAY && (o.max.x - me.max.x).abs() <= PLAY
    };
    is_figure || body.iter().any(mate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::pixels::rect;
    use crate::vision::shapes::rects::Rect;

    const COLUMNS: [(i32, i32); 4] = [(0, 100), (99, 200), (199, 260), (259, 290)];

    /// A grid row by row; each box is `words` of a cell, or `words=role` with the sign of its role.
    fn grid(rows: &[[&str; 4]]) -> (Vec<Node>, Vec<Line>) {
        let (mut nodes, mut lines) = (Vec::new(), Vec::new());
        for (row, boxes) in (0i32..).zip(rows) {
            for ((x0, x1), text) in COLUMNS.into_iter().zip(boxes) {
                let (words, role) = match text.split_once('=') {
                    Some((words, "list")) => (words, Role::Combobox),
                    Some((words, "field")) => (words, Role::Textbox),
                    Some((words, _)) => (words, Role::Button),
                    None => (*text, Role::Cell),
                };
                let outer = rect(x0, 29 * row, x1, 29 * row + 30);
                let fill = if row == 0 { [230; 3] } else { [255; 3] };
                let rect = Rect { outer, inner: outer.inflate(-1, -1), fill, surface: Some(0), bordered: true };
                let mut mine = Vec::new();
                if !words.is_empty() {
                    mine.push(lines.len());
                    let bbox = pixels::rect(x0 + 6, outer.min.y + 8, x0 + 26, outer.min.y + 20);
                    let (ink, ground) = ([0; 3], fill);
                    lines.push(Line { bbox, text: words.to_owned(), confidence: 1.0, ink, ground });
                }
                let (children, ink) = (Vec::new(), Vec::new());
                nodes.push(Node { rect, parent: None, children, lines: mine, ink, role: Verdict::Is(role) });
            }
        }
        (nodes, lines)
    }

    /// The roles row by row after opening.
    fn opened(rows: &[[&str; 4]], arrows: &[ImageRect]) -> Vec<Vec<Role>> {
        let (mut nodes, lines) = grid(rows);
        open(&mut nodes, &lines, &[], arrows);
        let role = |n: &Node| match n.role {
            Verdict::Is(role) => role,
            _ => Role::Window,
        };
        nodes.chunks(4).map(|row| row.iter().map(role).collect()).collect()
    }

    #[test]
    fn boxes_beside_lists_to_choose_from_are_fields_and_heads_stay_heads() {
        use Role::{Cell, Combobox, Textbox};
        let rows = opened(
            &[["Item", "Unit", "Qty", ""], ["Rope", "kg=list", "12=button", ""], ["Wire", "pcs=list", "", ""]],
            &[],
        );
        assert_eq!(rows[0], [Cell, Cell, Cell, Cell]);
        assert_eq!(rows[1], [Textbox, Combobox, Textbox, Cell], "a narrow column is for pictures to click");
        assert_eq!(rows[2], [Textbox, Combobox, Textbox, Cell]);
    }

    #[test]
    fn a_table_to_read_stays_one() {
        let rows = opened(&[["Item", "Unit", "Qty", ""], ["Rope", "kg", "12", ""], ["Wire", "pcs", "7", ""]], &[]);
        assert!(rows.iter().flatten().all(|role| *role == Role::Cell));
    }

    #[test]
    fn heads_taken_for_fields_are_heads_when_they_stand_over_figures() {
        use Role::{Cell, Textbox};
        let rows = opened(
            &[
                ["Item=field", "Unit=field", "Qty=field", ""],
                ["Rope=field", "kg", "12=field", ""],
                ["Wire=field", "pcs", "", ""],
            ],
            &[],
        );
        assert_eq!(rows[0], [Cell, Cell, Cell, Cell]);
        assert_eq!(rows[2], [Textbox, Textbox, Textbox, Cell]);
    }

    #[test]
    fn arrows_behind_a_column_of_boxes_make_it_lists_to_choose_from() {
        let (mut nodes, lines) = grid(&[["Item", "Unit", "Qty", ""], ["Rope", "kg", "12", ""], ["Wire", "m", "7", ""]]);
        for node in nodes.iter_mut().skip(1).step_by(4) {
            node.rect.outer.max.x -= 14;
        }
        let arrows = [rect(189, 40, 196, 44), rect(189, 69, 196, 73)];
        open(&mut nodes, &lines, &[], &arrows);
        assert_eq!(nodes[5].role, Verdict::Is(Role::Combobox));
        assert_eq!(nodes[9].rect.outer, rect(99, 58, 199, 88));
        assert_eq!(nodes[4].role, Verdict::Is(Role::Textbox));
    }
}
