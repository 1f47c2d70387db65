//! Joins what a program says of its window with what the eyes have seen of it.
//!
//! The picture decides whether a statement holds, the statement then names things more exactly than eyes can: the
//! exact words, the true role, a label that stands nowhere near. What was seen is never taken away.

use image::RgbImage;
use unicode_normalization::UnicodeNormalization;

use super::{Element, ImageRect, Role, Source, State};

/// Two boxes of this overlap (common area by joint area) are the same thing.
const SAME: f64 = 0.5;
/// Of a thing that lies within another, this share must lie within it.
const WITHIN: f64 = 0.8;
/// Words that are this alike are the same words, misread.
const ALIKE: f64 = 0.75;
/// A field shows the beginning of a long value only; this much of it must have been read to take it for the same.
const BEGINNING: usize = 12;
/// What covers more of the picture than this is no single thing to click.
const LARGEST: f64 = 0.6;
/// Nothing a person could hit is smaller, in pixels.
const SMALLEST: i32 = 4;
/// Brightness that differs by less is still the same empty surface.
const FLAT: u8 = 24;

/// The seen elements, made more exact by what the program says of them, and those it alone knows of.
///
/// `told` are the program's statements as elements of the same picture (source accessibility, their numbers do not
/// count). What contradicts the picture is ignored: other words than were read, a value that is not the one that
/// stands there, a thing where nothing is drawn. The seen elements keep their order and numbers and stay what a
/// click can do; new ones come after them with numbers of their own.
pub fn merge(seen: Vec<Element>, told: &[Element], picture: &RgbImage) -> Vec<Element> {
    let pairs = matches(&seen, told);
    let mut merged: Vec<Element> = seen
        .iter()
        .enumerate()
        .map(|(at, element)| match pairs.iter().find(|pair| pair.seen == at) {
            Some(pair) => refined(element, &told[pair.told]),
            None => element.clone(),
        })
        .collect();
    let mut next = merged.iter().map(|element| element.id).max().unwrap_or(0);
    for (at, new) in told.iter().enumerate() {
        let taken = pairs.iter().any(|pair| pair.told == at);
        if !taken && is_plausible(new, picture) && !contradicted(new, &seen) && !is_there(new, &merged) {
            next += 1;
            merged.push(added(new, next));
        }
    }
    merged
}

/// What was told only, as an element. Its words were not seen: of what can be used they are what it is called.
fn added(told: &Element, id: u32) -> Element {
    let mut new = Element { id, source: Source::Accessibility, ..told.clone() };
    if new.role.is_interactive() && !new.role.is_named_beside() && new.label.is_empty() {
        new.label = std::mem::take(&mut new.text);
    }
    new
}

struct Pair {
    seen: usize,
    told: usize,
    score: f64,
}

/// Which statement is about which element: each at most once, the closest first.
fn matches(seen: &[Element], told: &[Element]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (s, element) in seen.iter().enumerate() {
        for (t, statement) in told.iter().enumerate() {
            pairs.extend(closeness(element, statement).map(|score| Pair { seen: s, told: t, score }));
        }
    }
    pairs.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.seen.cmp(&b.seen)).then(a.told.cmp(&b.told)));
    let mut taken: Vec<Pair> = Vec::new();
    for pair in pairs {
        if taken.iter().all(|other| other.seen != pair.seen && other.told != pair.told) {
            taken.push(pair);
        }
    }
    taken
}

/// How sure it is that both are the same thing; `None` when they are not, or when the statement cannot be true of it.
fn closeness(seen: &Element, told: &Element) -> Option<f64> {
    let common = seen.bbox.intersection(&told.bbox).map_or(0.0, area);
    if common == 0.0 {
        return None;
    }
    let joint = area(seen.bbox) + area(told.bbox) - common;
    let overlap = common / joint;
    let words = !seen.text.is_empty() && agree(&seen.text, words_of(told));
    let akin = family(seen.role) == family(told.role);
    // A button whose words alone were seen; a box to tick seen without its words.
    let tick = akin && family(seen.role) == Family::Tick && seen.text.is_empty();
    let inside = common >= WITHIN * area(seen.bbox) && (words || tick);
    let same = overlap >= SAME || inside;
    if !same || !could_be(seen, told) {
        return None;
    }
    let kin = if akin { 0.5 } else { 0.0 };
    Some(overlap + kin + if words { 1.0 } else { 0.0 })
}

/// Whether what was read there leaves it possible that the statement is about this element.
fn could_be(seen: &Element, told: &Element) -> bool {
    if told.role.holds_text() && told.value.is_some() {
        // A field is known by its place; whether its value is believed is another question. What was seen to be
        // something else than a field or its text does not become one.
        return seen.role.holds_text() || !seen.role.is_interactive();
    }
    let (read, said) = (seen.text.as_str(), words_of(told));
    read.is_empty() || said.is_empty() || is_sign(read) || agree(read, said)
}

/// The element with what the program says of it, as far as the picture does not say otherwise.
fn refined(seen: &Element, told: &Element) -> Element {
    let role = role_of(seen.role, told.role);
    let mut merged = Element { role, source: Source::Accessibility, ..seen.clone() };
    merged.confidence = seen.confidence.max(told.confidence);
    if !seen.role.is_interactive() && told.role.is_interactive() && told.bbox.contains_box(&seen.bbox) {
        // Only its words were seen; they are not where it ends.
        merged.bbox = told.bbox;
    }
    merged.value = match &seen.value {
        _ if !role.holds_text() => None,
        Some(read) => Some(value_of(read, told.value.as_deref())),
        // What was taken for a text is what stands in the field.
        None => Some(value_of(&seen.text, told.value.as_deref())),
    };
    let said = if role.is_named_beside() { told.label.as_str() } else { words_of(told) };
    if !said.is_empty() && (role.is_named_beside() || said != seen.text) {
        // The text stays what was read, so that a later look can be compared with it.
        merged.label = said.to_string();
    }
    for state in &told.state {
        let opposite = match state {
            State::Checked => Some(State::Unchecked),
            State::Unchecked => Some(State::Checked),
            State::Disabled | State::Focused | State::Selected => None,
        };
        if !merged.is(*state) && !opposite.is_some_and(|opposite| merged.is(opposite)) {
            merged.state.push(*state);
        }
    }
    merged
}

/// The told value where it is what was read, else what was read.
fn value_of(read: &str, told: Option<&str>) -> String {
    match told {
        Some(told) if same_value(read, told) => told.to_string(),
        _ => read.to_string(),
    }
}

/// What it is, when both say something: the program knows better, but nothing stops being clickable by being told so,
/// and programs call many things that are drawn as switches plain buttons.
fn role_of(seen: Role, told: Role) -> Role {
    match (seen, told) {
        (Role::Switch | Role::Tab | Role::Menuitem | Role::Link, Role::Button) => seen,
        (Role::Switch, Role::Checkbox) => seen,
        _ if seen.is_interactive() && !told.is_interactive() => seen,
        _ => told,
    }
}

/// Whether something can be there at all: large enough to be hit, within the picture, and something is drawn.
fn is_plausible(told: &Element, picture: &RgbImage) -> bool {
    let whole = ImageRect::from_size(euclid::size2(picture.width() as i32, picture.height() as i32));
    let size = told.bbox.size();
    let unnamed = words_of(told).is_empty() && told.value.is_none();
    whole.contains_box(&told.bbox)
        && size.width >= SMALLEST
        && size.height >= SMALLEST
        && area(told.bbox) <= LARGEST * area(whole)
        && (told.role.is_interactive() || !unnamed)
        && is_drawn(told.bbox, picture)
}

/// Whether the box shows anything but one even surface.
fn is_drawn(bbox: ImageRect, picture: &RgbImage) -> bool {
    let light = |x: i32, y: i32| {
        let [r, g, b] = picture.get_pixel(x as u32, y as u32).0;
        r.max(g).max(b)
    };
    let mut lights = (bbox.min.y..bbox.max.y).flat_map(|y| (bbox.min.x..bbox.max.x).map(move |x| light(x, y)));
    let Some(first) = lights.next() else { return false };
    lights.any(|other| other.abs_diff(first) > FLAT)
}

/// Whether words were read in its box, and all of them are others than it should show.
fn contradicted(told: &Element, seen: &[Element]) -> bool {
    let said = [words_of(told), told.value.as_deref().unwrap_or_default()];
    let mut inside = seen.iter().filter(|element| {
        let common = element.bbox.intersection(&told.bbox).map_or(0.0, area);
        !element.text.is_empty() && !is_sign(&element.text) && common >= SAME * area(element.bbox)
    });
    let holds_others = matches!(told.role, Role::Listitem | Role::Cell | Role::Tab | Role::Window);
    let Some(first) = inside.next() else { return false };
    let disagrees = |element: &Element| !said.iter().any(|said| !said.is_empty() && agree(&element.text, said));
    !holds_others && disagrees(first) && inside.all(disagrees)
}

/// Whether an element that one can use is already there, so that this is only a part or a hull of it.
fn is_there(told: &Element, elements: &[Element]) -> bool {
    elements.iter().any(|element| {
        let common = element.bbox.intersection(&told.bbox).map_or(0.0, area);
        let holds_others = matches!(element.role, Role::Listitem | Role::Cell | Role::Window)
            || matches!(told.role, Role::Listitem | Role::Cell);
        let usable = element.role.is_interactive() || !told.role.is_interactive();
        let part = usable && !holds_others && common >= SAME * area(element.bbox).min(area(told.bbox));
        let same = common >= WITHIN * area(element.bbox).max(area(told.bbox));
        common > 0.0 && (part || same)
    })
}

#[derive(PartialEq, Eq)]
enum Family {
    Field,
    Tick,
    Press,
    Show,
}

fn family(role: Role) -> Family {
    match role {
        Role::Textbox | Role::Combobox => Family::Field,
        Role::Checkbox | Role::Radio | Role::Switch => Family::Tick,
        Role::Button | Role::Icon | Role::Link | Role::Tab | Role::Menuitem | Role::Listitem | Role::Slider => {
            Family::Press
        }
        Role::Text | Role::Image | Role::Cell | Role::Window => Family::Show,
    }
}

/// The words that a statement expects to stand in its box; a field's stand beside it.
fn words_of(told: &Element) -> &str {
    told.value.as_deref().unwrap_or(&told.text)
}

fn area(bbox: ImageRect) -> f64 {
    f64::from(bbox.width().max(0)) * f64::from(bbox.height().max(0))
}

/// A letter or two marks that are drawn on a button (`x`, `...`, `>`) are not its name. Digits and characters that are
/// words are.
fn is_sign(text: &str) -> bool {
    let mut characters = text.chars().filter(|c| !c.is_whitespace());
    let sign = |c: char| !c.is_alphanumeric() || c.is_ascii_alphabetic();
    match (characters.next(), characters.next(), characters.next()) {
        (Some(only), None, None) => sign(only),
        _ => text.chars().count() <= 3 && !text.chars().any(char::is_alphanumeric),
    }
}

/// Whether both are the same words to a reader who may misread a letter, or sees only a part of them.
fn agree(read: &str, said: &str) -> bool {
    let digits = |text: &str| text.nfkc().filter(char::is_ascii_digit).collect::<String>();
    let (numbers, said_numbers) = (digits(read), digits(said));
    if numbers != said_numbers && !numbers.is_empty() && !said_numbers.is_empty() {
        // A misread letter leaves a word what it is, another digit makes another number.
        return false;
    }
    let fold = |text: &str| alike(&text.to_lowercase());
    let (read, said) = (fold(read), fold(said));
    let part = |short: &str, long: &str| short.chars().count() >= 3 && long.contains(short);
    !read.is_empty()
        && !said.is_empty()
        && (part(&read, &said) || part(&said, &read) || strsim::normalized_levenshtein(&read, &said) >= ALIKE)
}

/// Whether a value that was read is the told one: the same but for letters that look the same, or its visible beginning.
fn same_value(read: &str, told: &str) -> bool {
    let (read, told) = (alike(read), alike(told));
    read == told || read.chars().count() >= BEGINNING && told.starts_with(&read)
}

/// The text with every character replaced by the one that stands for all that look like it.
fn alike(text: &str) -> String {
    let one = |c: char| match c {
        'O' | 'o' => '0',
        'I' | 'l' | '|' | '!' => '1',
        'C' | 'K' | 'P' | 'S' | 'U' | 'V' | 'W' | 'X' | 'Z' => c.to_ascii_lowercase(),
        '、' => ',',
        '。' => '.',
        '–' | '—' | '−' => '-',
        '’' | '‘' | '`' => '\'',
        '“' | '”' => '"',
        _ => c,
    };
    text.nfkc().filter(|c| !c.is_whitespace()).map(one).collect()
}

#[cfg(test)]
mod tests;
