//! `deskhand bench vision`: what a look costs, at first and after a change, and whether what is carried over from the
//! picture before is what a fresh look would see.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::ensure;
use image::RgbImage;
use serde::Serialize;
use serde_json::json;

use super::changes::{scroll, type_words};
use super::machine::cpu_time;
use crate::assembly;
use crate::cli::{Exit, progress, see};
use crate::payload::Payload;
use crate::scene::{Element, ImagePoint, ImageRect};
use crate::vision::Eyes;

/// How far a part is scrolled, in pixels.
const SCROLLED: i32 = 60;
/// Boxes whose edges differ by at most this are the same.
const SAME_EDGE: i32 = 3;

/// What one look took.
#[derive(Debug, Clone, Copy, Serialize)]
struct Cost {
    cpu_ms: f64,
    wall_ms: f64,
}

#[derive(Debug, Serialize)]
struct Row {
    picture: String,
    elements: usize,
    full: Cost,
    /// After words were put into a field; none without a field.
    typed: Option<Cost>,
    scrolled: Cost,
}

/// One picture of a sequence, seen in turn and afresh.
#[derive(Debug, Serialize)]
struct Turn {
    picture: String,
    in_turn: Cost,
    afresh: Cost,
    elements: usize,
    /// Elements that only one of both has.
    different: Vec<String>,
}

pub(super) fn run(pictures: &[PathBuf], sequence: bool, as_json: bool) -> anyhow::Result<Exit> {
    ensure!(!pictures.is_empty(), "which pictures? For example: deskhand bench vision screen.png");
    let mut eyes = assembly::eyes(&Payload::open_self()?)?.eyes;
    match sequence {
        false => costs(&mut eyes, pictures, as_json),
        true => in_turn(&mut eyes, pictures, as_json),
    }
}

fn timed(eyes: &mut Eyes, image: &RgbImage) -> anyhow::Result<(Vec<Element>, Cost)> {
    let (cpu, wall) = (cpu_time(), Instant::now());
    let elements = eyes.look(image)?;
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    Ok((elements, Cost { cpu_ms: ms(cpu_time().saturating_sub(cpu)), wall_ms: ms(wall.elapsed()) }))
}

fn costs(eyes: &mut Eyes, pictures: &[PathBuf], as_json: bool) -> anyhow::Result<Exit> {
    let mut rows = Vec::new();
    for path in pictures {
        let mut image = see::read_picture(path)?;
        eyes.forget();
        let (elements, full) = timed(eyes, &image)?;
        let has_field = type_words(&mut image, &elements);
        let typed = if has_field { Some(timed(eyes, &image)?.1) } else { None };
        let list = middle(&image);
        scroll(&mut image, list, -SCROLLED);
        let scrolled = timed(eyes, &image)?.1;
        let row = Row { picture: path.display().to_string(), elements: elements.len(), full, typed, scrolled };
        if !as_json {
            let typed = row.typed.map_or("-".to_owned(), |t| format!("{:.0}", t.cpu_ms));
            progress::line(&format!(
                "{}: {} elements; CPU ms: full {:.0}, typed {typed}, scrolled {:.0}",
                row.picture, row.elements, row.full.cpu_ms, row.scrolled.cpu_ms
            ))?;
        }
        rows.push(row);
    }
    let of = |cost: fn(&Row) -> Option<f64>| median(rows.iter().filter_map(cost).collect());
    let summary = json!({
        "pictures": rows.len(),
        "full_cpu_ms": of(|r| Some(r.full.cpu_ms)),
        "full_wall_ms": of(|r| Some(r.full.wall_ms)),
        "typed_cpu_ms": of(|r| r.typed.map(|t| t.cpu_ms)),
        "scrolled_cpu_ms": of(|r| Some(r.scrolled.cpu_ms)),
        "typed_less": of(|r| r.typed.map(|t| r.full.cpu_ms / t.cpu_ms.max(0.1))),
        "scrolled_less": of(|r| Some(r.full.cpu_ms / r.scrolled.cpu_ms.max(0.1))),
    });
    tell(as_json, &summary, "looks", &rows)
}

/// The middle of a picture, as a list in a window with bars around it.
fn middle(image: &RgbImage) -> ImageRect {
    let (w, h) = (image.width() as i32, image.height() as i32);
    ImageRect::new(ImagePoint::new(w / 8, h / 6), ImagePoint::new(w * 7 / 8, h * 5 / 6))
}

fn in_turn(eyes: &mut Eyes, pictures: &[PathBuf], as_json: bool) -> anyhow::Result<Exit> {
    let mut fresh = assembly::eyes(&Payload::open_self()?)?.eyes;
    let mut turns = Vec::new();
    for path in pictures {
        let image = see::read_picture(path)?;
        let (carried, in_turn) = timed(eyes, &image)?;
        fresh.forget();
        let (seen, afresh) = timed(&mut fresh, &image)?;
        let turn = Turn {
            picture: path.display().to_string(),
            in_turn,
            afresh,
            elements: seen.len(),
            different: differences(&carried, &seen),
        };
        if !as_json {
            let what = if turn.different.is_empty() { "same".to_owned() } else { turn.different.join("; ") };
            progress::line(&format!(
                "{}: CPU ms {:.0}, afresh {:.0}; {what}",
                turn.picture, turn.in_turn.cpu_ms, turn.afresh.cpu_ms
            ))?;
        }
        turns.push(turn);
    }
    // The first picture is a full look both times.
    let later = || turns.iter().skip(1);
    let summary = json!({
        "comparisons": later().count(),
        "same": later().filter(|t| t.different.is_empty()).count(),
        "elements": later().map(|t| t.elements).sum::<usize>(),
        "elements_different": later().map(|t| t.different.len()).sum::<usize>(),
        "in_turn_cpu_ms": median(later().map(|t| t.in_turn.cpu_ms).collect()),
        "afresh_cpu_ms": median(later().map(|t| t.afresh.cpu_ms).collect()),
        "less": median(later().map(|t| t.afresh.cpu_ms / t.in_turn.cpu_ms.max(0.1)).collect()),
    });
    tell(as_json, &summary, "turns", &turns)
}

/// Elements that only one of both lists has: `+` what only the carried one has, `-` what it lacks.
fn differences(carried: &[Element], fresh: &[Element]) -> Vec<String> {
    let same = |a: &Element, b: &Element| {
        let edges = |e: &Element| [e.bbox.min.x, e.bbox.min.y, e.bbox.max.x, e.bbox.max.y];
        let near = edges(a).iter().zip(edges(b)).all(|(a, b)| (a - b).abs() <= SAME_EDGE);
        near && a.role == b.role && a.text == b.text && a.label == b.label && a.value == b.value && a.state == b.state
    };
    let lacking = |of: &[Element], other: &[Element], sign: char| -> Vec<String> {
        let lonely = of.iter().filter(|e| !other.iter().any(|o| same(e, o)));
        lonely.map(|e| format!("{sign} {e} at {:?}", e.bbox.to_rect().origin.to_tuple())).collect()
    };
    [lacking(carried, fresh, '+'), lacking(fresh, carried, '-')].concat()
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// One document, or a last line of `key=value`.
fn tell<T: Serialize>(as_json: bool, summary: &serde_json::Value, name: &str, rows: &[T]) -> anyhow::Result<Exit> {
    if as_json {
        progress::json_line(&json!({"summary": summary, name: rows}))?;
        return Ok(Exit::Done);
    }
    let figures = summary.as_object().into_iter().flatten().map(|(key, value)| match value.as_f64() {
        Some(number) if value.is_f64() => format!("{key}={number:.1}"),
        Some(_) | None => format!("{key}={value}"),
    });
    progress::line(&figures.collect::<Vec<_>>().join(" "))?;
    Ok(Exit::Done)
}
