//! Where the detector and the shapes meet: the network says what something is, the shapes say exactly where it is.
//!
//! Both are witnesses: the role is the one that makes what both say most likely (naive Bayes), with the network's own
//! probabilities and with how often the shapes judge so of elements of each role ([`super::witness`]). What only the
//! network has seen is added; borders of boxes stay those of the shapes, which are exact to the pixel.

use super::detector::{Seen, overlap};
use super::fuse::is_link;
use super::labels::stands_beside;
use super::lines::Line;
use super::nodes::{Node, Tick, Verdict};
use super::pixels;
use super::shapes::marks::Outline;
use super::shapes::rects::Rect;
use super::witness::{Guess, likelihood, named};
use crate::scene::{Element, ImageRect, Role, Source, State};

/// How sure the network must be that something is there to add what the shapes have not found: from where on more than
/// half of such finds are right on the held-out screens.
fn least_to_add(role: Role) -> f32 {
    match role {
        Role::Textbox | Role::Link | Role::Tab => 0.6,
        Role::Combobox | Role::Radio | Role::Checkbox | Role::Switch => 0.5,
        Role::Button => 0.5,
        Role::Menuitem | Role::Slider => 0.3,
        _ => 0.45,
    }
}

/// Two boxes for one thing (from, to) stand at most this far apart.
const MATE_GAP: i32 = 40;
/// Rows seen less surely than this in a field with a label are its lines.
const SURE_ROW: f32 = 0.65;
/// A title bar is wider than so many times its height.
const BAND: i32 = 12;
/// Words that take up more than this part of a box are what it is: 1 / 8.
const WORDS_FILL: i32 = 8;
/// Boxes that share this much are the same thing.
const SAME: f32 = 0.45;
/// Middles of words in one row differ by at most this.
const SAME_ROW: i32 = 4;
/// A state is there from this probability on.
const STATE: f32 = 0.5;

/// The two witnesses look at the same pixels: what the shapes say counts less than that of an independent one (0.7 is
/// the best of 0.2, 0.4, 0.7 and 1 on held-out screens); but where words stand the network does not look at, and the
/// arrow of a list is far from what it sees of a wide field.
fn dependence(guess: Guess) -> f32 {
    if matches!(guess, Guess::Label | Guess::Is(Role::Combobox)) { 1.0 } else { 0.7 }
}

/// What stands around a box the network sees, too, though not well: a label beside it counts half; that there is none
/// counts a quarter, it may not have been read.
const COMPANY: f32 = 0.5;

/// How often the shapes know whether a box that they have found is ticked.
const SHAPES_ARE_RIGHT: f32 = 0.9;

impl Seen {
    /// The most likely role when the shapes take it for `guess`.
    fn role(&self, guess: Guess) -> Role {
        self.most_likely(guess, |_| 1.0)
    }

    /// The most likely role of a box of which also is known whether words stand beside it as a label does.
    fn role_in_form(&self, guess: Guess, is_named: bool) -> Role {
        self.most_likely(guess, |role| {
            if is_named { named(role).powf(COMPANY) } else { (1.0 - named(role)).powf(COMPANY / 2.0) }
        })
    }

    fn most_likely(&self, guess: Guess, company: impl Fn(Role) -> f32) -> Role {
        let shapes = |role: Role| likelihood(guess, role).powf(dependence(guess));
        let weight = |role: Role| self.roles[role as usize].max(1e-4) * shapes(role) * company(role);
        let best = Role::ALL.map(|role| (role, weight(role))).into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        best.map_or(Role::Text, |(role, _)| role)
    }

    /// The same where it is seen surely enough to count without a shape.
    fn sure_role(&self, guess: Guess) -> Option<Role> {
        Some(self.role(guess)).filter(|role| self.score >= least_to_add(*role))
    }
}

/// The boxes of what is clicked by its words and stands beside others of its kind.
pub(super) fn made_of_words(seen: &[Seen]) -> Vec<ImageRect> {
    let is_words = |role| matches!(role, Role::Link | Role::Tab | Role::Menuitem | Role::Button | Role::Cell);
    seen.iter().filter(|s| s.sure_role(Guess::Is(Role::Text)).is_some_and(is_words)).map(|s| s.bbox).collect()
}

fn outline_of(role: Role) -> Option<Outline> {
    match role {
        Role::Checkbox => Some(Outline::Square),
        Role::Radio => Some(Outline::Circle),
        _ => None,
    }
}

pub(super) fn guess_of(tick: &Tick) -> Guess {
    match tick.outline {
        Outline::Square => Guess::Square,
        Outline::Circle | Outline::Diamond => Guess::Circle,
    }
}

/// Boxes to tick: their kind and state by the network, and those that only it has seen.
pub(super) fn correct_ticks(ticks: &mut Vec<Tick>, seen: &[Seen]) {
    let near = |tick: &Tick, s: &Seen| {
        let (a, b) = (tick.bbox.area(), s.bbox.area());
        s.bbox.contains(tick.bbox.center()) && tick.bbox.contains(s.bbox.center()) && b <= 4 * a && a <= 4 * b
    };
    ticks.retain_mut(|tick| {
        let best = seen.iter().filter(|s| near(tick, s)).max_by(|a, b| a.score.total_cmp(&b.score));
        let Some(s) = best else { return !seen.iter().any(|s| is_handle_of(s, tick.bbox)) };
        let Some(outline) = outline_of(s.role(guess_of(tick))) else { return false };
        // The shapes are right nine times in ten, so the network must be that sure to overrule them.
        let least = if tick.ticked { 1.0 - SHAPES_ARE_RIGHT } else { SHAPES_ARE_RIGHT };
        *tick = Tick { outline, ticked: s.checked >= least, proven: true, ..*tick };
        true
    });
    for s in seen {
        let Some(outline) = s.sure_role(Guess::Nothing).and_then(outline_of) else { continue };
        if !ticks.iter().any(|t| near(t, s) || overlap(t.bbox, s.bbox) > 0.1) {
            ticks.push(Tick { bbox: s.bbox, outline, ticked: s.checked >= STATE, proven: true });
        }
    }
}

/// Whether the box is the knob of a switch or slider.
fn is_handle_of(s: &Seen, bbox: ImageRect) -> bool {
    matches!(s.sure_role(Guess::Nothing), Some(Role::Switch | Role::Slider)) && s.bbox.inflate(2, 2).contains_box(&bbox)
}

/// Rectangles: their roles by both witnesses, and controls that only the network has seen. The surest come first: what is
/// seen clearly is neither swallowed nor cut by something vague around or inside of it.
pub(super) fn correct_nodes(nodes: &mut Vec<Node>, lines: &[Line], ticks: &[Tick], seen: &[Seen]) {
    let of_node = rectangles_of(nodes, seen);
    let labels = labels_among(nodes, lines);
    let fields: Vec<ImageRect> = nodes.iter().filter(|n| is_field(Guess::from(n.role))).map(|n| n.rect.outer).collect();
    let mut placed: Vec<usize> = Vec::new();
    let mut order: Vec<usize> = (0..seen.len()).collect();
    order.sort_by(|a, b| seen[*b].score.total_cmp(&seen[*a].score));
    for (rank, s) in order.iter().copied().enumerate() {
        let (mut surer, seen) = (order[..rank].iter().map(|t| &seen[*t]), &seen[s]);
        let node = of_node[s];
        let guess = node.map_or_else(|| guess_of_words(seen.bbox, lines, &fields), |i| Guess::from(nodes[i].role));
        let role = match node {
            Some(i) => Some(seen.role_in_form(guess, is_named_field(nodes[i].rect.outer, nodes, lines, &labels))),
            None => seen.sure_role(guess),
        };
        let Some(role) = role else { continue };
        let is_row = matches!(role, Role::Listitem | Role::Cell | Role::Menuitem | Role::Tab);
        let is_line = |f: &ImageRect| holds_as_line(*f, seen.bbox) && is_named(*f, &labels);
        if is_row && node.is_none() && seen.score < SURE_ROW && fields.iter().any(is_line) {
            continue;
        }
        if role == Role::Button && node.is_none() && is_bare(seen.bbox, lines) {
            continue;
        }
        let bbox = node.map_or(seen.bbox, |i| nodes[i].rect.outer);
        let is_box = is_made_of_a_box(role)
            || (role == Role::Link && is_more_than_words(bbox, lines))
            || (role == Role::Cell && node.is_some());
        if !is_box {
            if let Some(i) = node.filter(|i| matches!(nodes[*i].role, Verdict::Is(_)) && outline_of(role).is_none()) {
                nodes[i].role = Verdict::Container;
            }
            continue;
        }
        if !holds_others(role) && ticks.iter().any(|t| covers(t.bbox, bbox)) {
            continue;
        }
        if !matches!(guess, Guess::Is(Role::Textbox | Role::Combobox | Role::Button | Role::Icon))
            && surer.any(|t| is_text_in(t, bbox))
        {
            continue;
        }
        match room_for(nodes, &placed, bbox, role) {
            Room::Free(parts) => {
                let place = match node {
                    Some(i) => Some(i),
                    None => add(nodes, lines, seen, role),
                };
                let Some(i) = place else { continue };
                for part in parts {
                    nodes[part].role = Verdict::Part;
                }
                take_for(nodes, i, role);
                placed.push(i);
            }
            Room::Inside => {
                if let Some(i) = node {
                    nodes[i].role = Verdict::Part;
                }
            }
            Room::Around => {
                if let Some(i) = node {
                    nodes[i].role = Verdict::Container;
                }
            }
        }
    }
    if !seen.is_empty() {
        judge_unseen(nodes, &of_node, lines, &labels);
    }
    free_the_words_of_cells(nodes, lines, seen);
}

/// What the shapes alone take for a button: with a label beside it, it is a field, whatever it is filled with; very wide
/// and with its words at one side, it is a title bar or a frame.
fn judge_unseen(nodes: &mut [Node], of_node: &[Option<usize>], lines: &[Line], labels: &[ImageRect]) {
    for (i, node) in nodes.iter_mut().enumerate() {
        let bbox = node.rect.outer;
        if node.role != Verdict::Is(Role::Button) || of_node.contains(&Some(i)) || is_centered(bbox, lines) {
            continue;
        }
        if bbox.width() > 2 * bbox.height() && is_named(bbox, labels) {
            node.role = Verdict::Is(Role::Textbox);
        } else if bbox.width() > BAND * bbox.height() {
            node.role = Verdict::Container;
        }
    }
}

/// Whether the box is a line of what stands in the field.
fn holds_as_line(field: ImageRect, bbox: ImageRect) -> bool {
    let is_in = 10 * pixels::intersection_area(field, bbox) > 7 * bbox.area();
    is_in && field.contains(bbox.center()) && 4 * bbox.height() <= 3 * field.height()
}

/// Whether words stand beside the box as a label does, and its own words not in its middle, as those of a button do. A
/// figure is no button's words, and of two boxes for figures beside each other the first has the label.
fn is_named_field(bbox: ImageRect, nodes: &[Node], lines: &[Line], labels: &[ImageRect]) -> bool {
    let is_number = is_figure(bbox, lines);
    let is_mate = |n: &Node| {
        let o = n.rect.outer;
        let is_beside = (0..=MATE_GAP).contains(&(bbox.min.x - o.max.x));
        is_beside && (o.min.y - bbox.min.y).abs() <= 2 && (o.max.y - bbox.max.y).abs() <= 2 && is_figure(o, lines)
    };
    let has_mate = is_number && nodes.iter().any(|n| is_mate(n) && is_named(n.rect.outer, labels));
    (is_number || !is_centered(bbox, lines)) && (has_mate || is_named(bbox, labels))
}

/// Whether a date, an amount, a number of two digits or more stands in the box, and no word.
fn is_figure(bbox: ImageRect, lines: &[Line]) -> bool {
    let mine = || lines.iter().filter(|l| bbox.contains(l.bbox.center())).flat_map(|l| l.text.chars());
    mine().filter(char::is_ascii_digit).count() >= 2 && !mine().any(char::is_alphabetic)
}

fn is_centered(bbox: ImageRect, lines: &[Line]) -> bool {
    let mine = lines.iter().map(|l| l.bbox).filter(|l| bbox.contains(l.center()));
    let words = mine.reduce(|a, b| a.union(&b));
    let slack = (bbox.width() / 28).max(3);
    words.is_some_and(|w| (w.center().x - bbox.center().x).abs() <= slack)
}

/// The words that stand in no control: they may name one.
fn labels_among(nodes: &[Node], lines: &[Line]) -> Vec<ImageRect> {
    let mut free = vec![true; lines.len()];
    for node in nodes.iter().filter(|n| n.role != Verdict::Container) {
        for l in &node.lines {
            free[*l] = false;
        }
    }
    let is_word = |line: &Line| line.text.chars().any(char::is_alphabetic);
    lines.iter().zip(free).filter(|(line, free)| *free && is_word(line)).map(|(line, _)| line.bbox).collect()
}

fn is_named(bbox: ImageRect, labels: &[ImageRect]) -> bool {
    labels.iter().any(|l| !bbox.contains(l.center()) && stands_beside(*l, bbox))
}

/// What the shapes take a place for in which they have found no rectangle: words, or nothing.
fn guess_of_words(bbox: ImageRect, lines: &[Line], fields: &[ImageRect]) -> Guess {
    let holds = |l: &&Line| bbox.contains(l.bbox.center()) && WORDS_FILL * l.bbox.area() > bbox.area();
    match lines.iter().find(holds) {
        Some(line) if fields.iter().any(|f| stands_beside(line.bbox, *f)) => Guess::Label,
        Some(line) if is_link(line) => Guess::Is(Role::Link),
        Some(_) => Guess::Is(Role::Text),
        None => Guess::Nothing,
    }
}

/// Whether words stand in the box that are seen as words for themselves, not as those of a control.
fn is_text_in(s: &Seen, bbox: ImageRect) -> bool {
    bbox.contains(s.bbox.center()) && s.bbox.area() < bbox.area() && s.role(Guess::Is(Role::Text)) == Role::Text
}

/// What the shapes take words for, with the fields that they have found.
pub(super) fn guess_of_element(e: &Element, fields: &[ImageRect]) -> Guess {
    let is_plain = matches!(e.role, Role::Text | Role::Menuitem);
    let is_label = is_plain && fields.iter().any(|f| stands_beside(e.bbox, *f));
    if is_label { Guess::Label } else { Guess::Is(e.role) }
}

pub(super) fn is_field(guess: Guess) -> bool {
    matches!(guess, Guess::Is(Role::Textbox | Role::Combobox))
}

/// For each thing seen, the rectangle that it is; the surest has it.
fn rectangles_of(nodes: &[Node], seen: &[Seen]) -> Vec<Option<usize>> {
    let mut of_node = vec![None; seen.len()];
    for (i, node) in nodes.iter().enumerate() {
        // Of a field with something in it (marked words, a unit at its end) the whole is what one clicks.
        let field = node.parent.filter(|p| node.role == Verdict::Part && is_field(Guess::from(nodes[*p].role)));
        let shared =
            |seen: &Seen| if is_part_of_field(node, seen.bbox) { SAME } else { overlap(node.rect.outer, seen.bbox) };
        let shared = seen.iter().enumerate().map(|(s, seen)| (shared(seen), s));
        let best = shared
            .filter(|(shared, _)| *shared >= SAME)
            .max_by(|a, b| (a.0 * seen[a.1].score).total_cmp(&(b.0 * seen[b.1].score)));
        if let Some((shared, s)) = best {
            let whole = field.filter(|f| overlap(nodes[*f].rect.outer, seen[s].bbox) >= SAME);
            let i = whole.unwrap_or(i);
            let before: Option<usize> = of_node[s];
            if before.is_none_or(|other| overlap(nodes[other].rect.outer, seen[s].bbox) <= shared) {
                of_node[s] = Some(i);
            }
        }
    }
    // A whole field may have been found through several of its parts: the surest counts.
    for s in 0..seen.len() {
        let is_surer = |t: usize| of_node[t] == of_node[s] && (seen[t].score, s) > (seen[s].score, t);
        if of_node[s].is_some() && (0..seen.len()).any(is_surer) {
            of_node[s] = None;
        }
    }
    of_node
}

/// Whether only a part of a wide field was seen: as high as it is and inside of it, too narrow to share much with it.
fn is_part_of_field(node: &Node, seen: ImageRect) -> bool {
    let outer = node.rect.outer;
    is_field(Guess::from(node.role))
        && overlap(outer, seen) < SAME
        && outer.inflate(3, 3).contains_box(&seen)
        && seen.height() + 6 >= outer.height()
        && 6 * seen.width() >= outer.width()
        && seen.width() > 3 * seen.height()
}

/// Whether a control can stand somewhere, what stands there already being seen more surely.
enum Room {
    /// Yes; what lies in it is part of it.
    Free(Vec<usize>),
    /// No, it is part of another or the same.
    Inside,
    /// No, several others or a large one stand in it.
    Around,
}

fn room_for(nodes: &[Node], placed: &[usize], bbox: ImageRect, role: Role) -> Room {
    let mut parts = Vec::new();
    let mut inside = Vec::new();
    for (i, node) in nodes.iter().enumerate() {
        let Verdict::Is(known) = node.role else { continue };
        let outer = node.rect.outer;
        let nested =
            (holds_others(known) && outer.area() > bbox.area()) || (holds_others(role) && bbox.area() > outer.area());
        if !placed.contains(&i) {
            if !nested && bbox.contains(outer.center()) && outer.area() < bbox.area() {
                parts.push(i);
            }
            continue;
        }
        let is_rival = !nested && covers(outer, bbox);
        if overlap(outer, bbox) >= SAME || (is_rival && outer.area() >= bbox.area()) {
            return Room::Inside;
        }
        if is_rival {
            inside.push(i);
        }
    }
    match inside[..] {
        [] => Room::Free(parts),
        // A sign at the end of a field, a picture on a button.
        [one] if 3 * nodes[one].rect.outer.width() <= bbox.width() => {
            parts.push(one);
            Room::Free(parts)
        }
        _ => Room::Around,
    }
}

/// Whether the box is hardly larger than the words in it: a button has a face around them.
fn is_bare(bbox: ImageRect, lines: &[Line]) -> bool {
    lines.iter().map(|l| l.bbox).any(|l| bbox.contains(l.center()) && fills(l, bbox))
}

fn fills(words: ImageRect, bbox: ImageRect) -> bool {
    2 * words.area() > bbox.area()
}

/// Whether the box holds a picture beside its words, as an entry at the side of a page does.
fn is_more_than_words(bbox: ImageRect, lines: &[Line]) -> bool {
    let mine = lines.iter().map(|l| l.bbox).filter(|l| bbox.contains(l.center()));
    mine.reduce(|a, b| a.union(&b)).is_some_and(|words| bbox.area() > 2 * words.area())
}

/// A cell in which links or buttons stand is their container.
fn free_the_words_of_cells(nodes: &mut [Node], lines: &[Line], seen: &[Seen]) {
    for node in nodes.iter_mut().filter(|n| n.role == Verdict::Is(Role::Cell)) {
        let cell = node.rect.outer;
        let stands_in_it = |s: &&Seen| s.score >= 0.5 && cell.contains(s.bbox.center()) && s.bbox.area() < cell.area();
        let is_click = |s: &Seen| matches!(s.role(Guess::Is(Role::Text)), Role::Link | Role::Button);
        let holds_words = |s: &Seen| node.lines.iter().any(|l| s.bbox.contains(lines[*l].bbox.center()));
        if seen.iter().filter(stands_in_it).any(|s| is_click(s) && holds_words(s)) {
            node.role = Verdict::Container;
        }
    }
}

/// Roles of rectangles; the others are words, boxes to tick, or nothing to click.
fn is_made_of_a_box(role: Role) -> bool {
    matches!(
        role,
        Role::Button
            | Role::Icon
            | Role::Textbox
            | Role::Combobox
            | Role::Cell
            | Role::Tab
            | Role::Menuitem
            | Role::Listitem
            | Role::Switch
            | Role::Slider
    )
}

/// All rectangles in the rectangle `i`.
fn descendants(nodes: &[Node], i: usize) -> Vec<usize> {
    let mut all = nodes[i].children.clone();
    let mut next = 0;
    while let Some(child) = all.get(next).copied() {
        all.extend(&nodes[child].children);
        next += 1;
    }
    all
}

/// Makes the rectangle `i` a control; what lies in it is part of it, what it is part of is a container.
fn take_for(nodes: &mut [Node], i: usize, role: Role) {
    nodes[i].role = Verdict::Is(role);
    if !holds_others(role) {
        for part in descendants(nodes, i) {
            nodes[part].role = Verdict::Part;
        }
    }
    let mut above = nodes[i].parent;
    while let Some(parent) = above {
        if !matches!(nodes[parent].role, Verdict::Is(role) if holds_others(role)) {
            nodes[parent].role = Verdict::Container;
        }
        above = nodes[parent].parent;
    }
}

/// Rows and cells hold controls of their own.
fn holds_others(role: Role) -> bool {
    matches!(role, Role::Cell | Role::Listitem)
}

fn covers(a: ImageRect, b: ImageRect) -> bool {
    2 * pixels::intersection_area(a, b) > a.area().min(b.area())
}

/// A control without a rectangle of its own: flat buttons, pictures to click, fields with a line below.
/// None when it has no words and needs some.
fn add(nodes: &mut Vec<Node>, lines: &[Line], s: &Seen, role: Role) -> Option<usize> {
    let b = s.bbox;
    let mine: Vec<usize> = (0..lines.len())
        .filter(|l| b.inflate(2, 2).contains(lines[*l].bbox.center()) && lines[*l].bbox.height() <= b.height() + 4)
        .collect();
    if mine.is_empty() && matches!(role, Role::Tab | Role::Menuitem | Role::Listitem) {
        return None;
    }
    for node in nodes.iter_mut() {
        node.lines.retain(|l| !mine.contains(l));
    }
    let rect = Rect { outer: b, inner: b.inflate(-1, -1), fill: [255; 3], surface: None, bordered: false };
    nodes.push(Node {
        rect,
        parent: None,
        children: Vec::new(),
        lines: mine,
        ink: Vec::new(),
        role: Verdict::Is(role),
    });
    Some(nodes.len() - 1)
}

/// Words and loose pictures: their roles by both witnesses; and the states of all.
pub(super) fn correct_elements(elements: &mut [Element], seen: &[Seen]) {
    if seen.is_empty() {
        return;
    }
    let fields = elements.iter().filter(|e| matches!(e.role, Role::Textbox | Role::Combobox));
    let fields: Vec<ImageRect> = fields.map(|e| e.bbox).collect();
    for e in elements.iter_mut().filter(|e| e.source == Source::Ocr) {
        let row = |s: &&Seen| {
            let c = s.bbox.center();
            (s.bbox.contains(e.bbox.center()) || e.bbox.contains(c))
                && (e.bbox.min.y..e.bbox.max.y).contains(&c.y)
                && s.bbox.height() <= 3 * e.bbox.height()
                && overlap(s.bbox, e.bbox) >= 0.3
        };
        let Some(s) = seen.iter().filter(row).max_by(|a, b| a.score.total_cmp(&b.score)) else { continue };
        let role = s.role(guess_of_element(e, &fields));
        let is_bare = role == Role::Button && fills(e.bbox, s.bbox);
        if !is_bare
            && matches!(role, Role::Text | Role::Link | Role::Tab | Role::Menuitem | Role::Listitem | Role::Button)
        {
            e.role = role;
            if matches!(role, Role::Tab | Role::Menuitem | Role::Listitem | Role::Button) {
                e.bbox = e.bbox.union(&s.bbox);
            }
        }
    }
    for e in elements.iter_mut() {
        let least = if matches!(e.role, Role::Checkbox | Role::Radio) { 0.0 } else { SAME };
        let best = seen.iter().map(|s| (overlap(s.bbox, e.bbox), s)).filter(|(shared, _)| *shared > least);
        let Some((_, s)) = best.max_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
        for (probability, state) in [(s.disabled, State::Disabled), (s.focused, State::Focused)] {
            if probability >= STATE && e.role.is_interactive() && !e.state.contains(&state) {
                e.state.push(state);
            }
        }
        if e.role == Role::Switch {
            e.state.push(if s.checked >= STATE { State::Checked } else { State::Unchecked });
        }
    }
    for i in 0..elements.len() {
        if matches!(elements[i].role, Role::Switch | Role::Slider) && elements[i].label.is_empty() {
            elements[i].label = words_of(elements, elements[i].bbox).unwrap_or_default();
        }
    }
}

/// A row of words that repeat the names of fields is the head of a table for these fields, also of an empty one.
pub(super) fn free_heads(elements: &mut [Element]) {
    let fields: Vec<(ImageRect, String)> =
        elements.iter().filter(|e| e.role.is_field()).map(|e| (e.bbox, e.label.clone())).collect();
    let is_word = |e: &Element| matches!(e.role, Role::Tab | Role::Menuitem | Role::Link | Role::Cell | Role::Text);
    let is_label = |e: &Element| fields.iter().any(|(field, _)| stands_beside(e.bbox, *field));
    let is_name = |e: &Element| !e.text.is_empty() && fields.iter().any(|(_, label)| *label == e.text);
    let repeats = |e: &Element| is_word(e) && is_name(e) && !is_label(e);
    let rows: Vec<i32> = elements.iter().filter(|e| repeats(e)).map(|e| e.bbox.center().y).collect();
    let is_head = |e: &Element| rows.iter().filter(|y| (e.bbox.center().y - **y).abs() <= SAME_ROW).count() >= 2;
    let heads: Vec<usize> = (0..elements.len()).filter(|i| is_word(&elements[*i]) && is_head(&elements[*i])).collect();
    for i in heads {
        if elements[i].role != Role::Cell {
            elements[i].role = Role::Text;
        }
    }
}

/// The words in the row of a switch or slider, the nearest first: right of it, else left.
fn words_of(elements: &[Element], bbox: ImageRect) -> Option<String> {
    let row = |e: &&Element| {
        e.role == Role::Text && (e.bbox.center().y - bbox.center().y).abs() <= bbox.height().max(e.bbox.height()) / 2
    };
    let right = elements.iter().filter(row).filter(|e| (0..=16).contains(&(e.bbox.min.x - bbox.max.x)));
    let left = elements.iter().filter(row).filter(|e| e.bbox.max.x <= bbox.min.x);
    let near = right.min_by_key(|e| e.bbox.min.x).or_else(|| left.max_by_key(|e| e.bbox.max.x));
    near.map(|e| super::labels::clean(&e.text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::pixels::rect;

    fn seen_as(chances: &[(Role, f32)], bbox: ImageRect) -> Seen {
        let mut roles = [0.0; Role::ALL.len()];
        for (role, chance) in chances {
            roles[*role as usize] = *chance;
        }
        Seen { bbox, score: 0.9, roles, checked: 0.0, disabled: 0.0, focused: 0.0 }
    }

    fn seen(role: Role, bbox: ImageRect) -> Seen {
        seen_as(&[(role, 0.95)], bbox)
    }

    fn node(role: Verdict, bbox: ImageRect) -> Node {
        let rect = Rect { outer: bbox, inner: bbox.inflate(-1, -1), fill: [255; 3], surface: None, bordered: true };
        Node { rect, parent: None, children: Vec::new(), lines: Vec::new(), ink: Vec::new(), role }
    }

    fn text(words: &str, bbox: ImageRect) -> Element {
        Element {
            id: 0,
            role: Role::Text,
            text: words.into(),
            label: String::new(),
            group: String::new(),
            value: None,
            state: Vec::new(),
            bbox,
            confidence: 1.0,
            source: Source::Ocr,
        }
    }

    #[test]
    fn words_that_repeat_the_names_of_fields_are_the_head_of_their_table() {
        let field = |label: &str, y: i32| Element {
            role: Role::Textbox,
            label: label.into(),
            ..text("", rect(100, y, 300, y + 22))
        };
        let word =
            |role: Role, words: &str, x: i32, y: i32| Element { role, ..text(words, rect(x, y, x + 60, y + 12)) };
        let mut elements = vec![
            field("Customer", 10),
            field("Quantity", 40),
            word(Role::Tab, "Customer", 20, 140),
            word(Role::Menuitem, "Quantity", 120, 141),
            word(Role::Menuitem, "Amount", 220, 140),
            word(Role::Tab, "Customer", 20, 300),
        ];
        free_heads(&mut elements);
        let roles: Vec<Role> = elements.iter().skip(2).map(|e| e.role).collect();
        assert_eq!(roles, [Role::Text, Role::Text, Role::Text, Role::Tab], "one tab alone may have a field's name");
    }

    #[test]
    fn the_network_says_which_kind_of_box_to_tick_it_is_and_adds_those_without_an_outline() {
        let square = Tick { bbox: rect(10, 10, 23, 23), outline: Outline::Square, ticked: false, proven: false };
        let mut ticks = vec![square];
        let round = Seen { checked: 0.95, ..seen(Role::Radio, rect(10, 10, 24, 24)) };
        correct_ticks(&mut ticks, &[round, seen(Role::Checkbox, rect(10, 40, 23, 53))]);
        assert_eq!(ticks.len(), 2);
        assert_eq!((ticks[0].outline, ticks[0].ticked, ticks[0].bbox), (Outline::Circle, true, square.bbox));
        assert_eq!((ticks[1].outline, ticks[1].ticked, ticks[1].proven), (Outline::Square, false, true));
        let mut picture = vec![square];
        correct_ticks(&mut picture, &[seen(Role::Icon, rect(9, 9, 24, 24))]);
        assert!(picture.is_empty());
    }

    #[test]
    fn the_role_is_the_networks_and_the_border_that_of_the_shapes() {
        let mut nodes = vec![node(Verdict::Is(Role::Button), rect(10, 10, 110, 32))];
        nodes.push(node(Verdict::Is(Role::Icon), rect(90, 12, 108, 30)));
        nodes[0].children.push(1);
        nodes[1].parent = Some(0);
        correct_nodes(&mut nodes, &[], &[], &[seen(Role::Combobox, rect(12, 9, 106, 33))]);
        assert_eq!((nodes[0].role, nodes[0].rect.outer), (Verdict::Is(Role::Combobox), rect(10, 10, 110, 32)));
        assert_eq!(nodes[1].role, Verdict::Part, "its arrow");
        assert_eq!(nodes.len(), 2);
    }

    #[test]
    fn where_the_network_is_undecided_the_shapes_decide() {
        let undecided = seen_as(&[(Role::Textbox, 0.5), (Role::Combobox, 0.4)], rect(10, 10, 110, 32));
        for role in [Role::Textbox, Role::Combobox] {
            let mut nodes = vec![node(Verdict::Is(role), rect(10, 10, 110, 32))];
            correct_nodes(&mut nodes, &[], &[], std::slice::from_ref(&undecided));
            assert_eq!(nodes[0].role, Verdict::Is(role));
        }
    }

    #[test]
    fn what_only_the_network_has_seen_is_added_once_and_not_inside_of_a_control() {
        let mut nodes = vec![node(Verdict::Is(Role::Combobox), rect(10, 10, 110, 32))];
        let added = rect(10, 60, 40, 84);
        let found = [
            seen(Role::Combobox, rect(10, 10, 110, 32)),
            Seen { score: 0.6, ..seen(Role::Icon, rect(92, 12, 108, 30)) },
            seen(Role::Icon, added),
            seen(Role::Button, rect(14, 58, 44, 84)),
            Seen { score: 0.2, ..seen(Role::Icon, rect(200, 200, 220, 220)) },
        ];
        correct_nodes(&mut nodes, &[], &[], &found);
        assert_eq!(
            nodes.iter().skip(1).map(|n| (n.role, n.rect.outer)).collect::<Vec<_>>(),
            [(Verdict::Is(Role::Icon), added)]
        );
    }

    #[test]
    fn words_that_the_network_takes_for_a_tab_are_one_and_are_clicked_anywhere_in_it() {
        let mut elements = vec![text("Orders", rect(10, 5, 50, 17)), text("else", rect(10, 40, 40, 52))];
        correct_elements(&mut elements, &[seen(Role::Tab, rect(4, 1, 58, 21))]);
        assert_eq!((elements[0].role, elements[0].bbox), (Role::Tab, rect(4, 1, 58, 21)));
        assert_eq!(elements[1].role, Role::Text);
    }

    #[test]
    fn a_switch_has_its_state_and_the_words_of_its_row() {
        let place = rect(160, 2, 200, 20);
        let switch = Element { role: Role::Switch, source: Source::Shape, ..text("", place) };
        let mut elements = vec![text("Wi-Fi", rect(10, 5, 50, 17)), switch];
        correct_elements(&mut elements, &[Seen { checked: 0.9, ..seen(Role::Switch, place) }]);
        let switch = &elements[1];
        assert_eq!((switch.role, switch.label.as_str(), switch.is(State::Checked)), (Role::Switch, "Wi-Fi", true));
    }

    fn line(words: &str, bbox: ImageRect) -> Line {
        Line { bbox, text: words.into(), confidence: 1.0, ink: [0; 3], ground: [255; 3] }
    }

    #[test]
    fn a_box_with_a_label_beside_it_is_rather_a_field_than_a_button() {
        let undecided = seen_as(&[(Role::Button, 0.5), (Role::Textbox, 0.4)], rect(100, 10, 300, 32));
        for (label, role) in [("Name:", Role::Textbox), ("", Role::Button)] {
            let mut lines = vec![line("Ann", rect(106, 15, 130, 27))];
            lines.extend((!label.is_empty()).then(|| line(label, rect(50, 15, 90, 27))));
            let mut nodes = vec![node(Verdict::Container, rect(100, 10, 300, 32))];
            nodes[0].lines.push(0);
            correct_nodes(&mut nodes, &lines, &[], std::slice::from_ref(&undecided));
            assert_eq!(nodes[0].role, Verdict::Is(role), "label {label:?}");
        }
    }

    #[test]
    fn what_the_network_has_not_seen_is_a_field_with_a_label_and_a_title_bar_when_wide() {
        let other = [seen(Role::Icon, rect(700, 700, 720, 720))];
        let lines = [
            line("Name:", rect(50, 15, 90, 27)),
            line("Ann", rect(106, 15, 130, 27)),
            line("Orders", rect(8, 106, 60, 120)),
            line("Save", rect(60, 205, 90, 217)),
        ];
        let places = [rect(100, 10, 300, 32), rect(0, 100, 600, 126), rect(30, 200, 120, 222)];
        let mut nodes: Vec<Node> = places.into_iter().map(|b| node(Verdict::Is(Role::Button), b)).collect();
        for (node, l) in nodes.iter_mut().zip(1..) {
            node.lines.push(l);
        }
        correct_nodes(&mut nodes, &lines, &[], &other);
        let roles: Vec<Verdict> = nodes.iter().take(3).map(|n| n.role).collect();
        assert_eq!(roles, [Verdict::Is(Role::Textbox), Verdict::Container, Verdict::Is(Role::Button)]);
    }

    #[test]
    fn lines_of_a_field_with_a_label_are_no_rows_of_a_list() {
        let lines = [line("Remarks:", rect(20, 14, 80, 26)), line("Call first", rect(106, 15, 160, 27))];
        let mut nodes = vec![node(Verdict::Is(Role::Textbox), rect(100, 10, 300, 60))];
        nodes[0].lines.push(1);
        correct_nodes(&mut nodes, &lines, &[], &[Seen { score: 0.5, ..seen(Role::Listitem, rect(102, 12, 280, 30)) }]);
        assert_eq!((nodes.len(), nodes[0].role), (1, Verdict::Is(Role::Textbox)));
    }

    #[test]
    fn the_second_date_of_two_is_a_field_though_it_stands_in_the_middle_of_its_box() {
        let lines = [
            line("Date:", rect(50, 15, 90, 27)),
            line("2026-11-01", rect(108, 15, 172, 27)),
            line("2026-11-30", rect(208, 15, 272, 27)),
        ];
        let mut nodes: Vec<Node> =
            [100, 200].into_iter().map(|x| node(Verdict::Is(Role::Button), rect(x, 10, x + 80, 32))).collect();
        nodes[0].lines.push(1);
        nodes[1].lines.push(2);
        let undecided = |x| seen_as(&[(Role::Button, 0.3), (Role::Textbox, 0.65)], rect(x, 10, x + 80, 32));
        correct_nodes(&mut nodes, &lines, &[], &[undecided(100), undecided(200)]);
        assert!(nodes.iter().all(|n| n.role == Verdict::Is(Role::Textbox)));
    }
}
