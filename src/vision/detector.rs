//! The element detector: our own network that says what stands where and in which state (`models/train/detector/`).
//!
//! Input: `[1, 3, H, W]` float32, RGB from 0 to 1, H and W multiples of 32. Output: `[N, 4 + 1 + roles + states]`, a row
//! for each cell of stride 8 and of stride 32: the box in pixels, how sure it is that an element stands there, the
//! probability of each role, of each state. The names of roles and states stand in the file's metadata.

use std::path::Path;

use image::RgbImage;

use super::pixels;
use super::runtime::Network;
use super::{Result, VisionError};
use crate::scene::{ImageRect, Role};

/// Sides of the network's input are multiples of this.
const STRIDE: usize = 32;
/// What stands right of and below the picture.
const PADDING: f32 = 0.45;
/// Rows below are not looked at.
const LEAST_SCORE: f32 = 0.25;
/// Boxes that share more than this are one element, seen from several cells.
const SAME: f32 = 0.55;

/// An element as the network sees it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Seen {
    pub bbox: ImageRect,
    /// That there is an element, 0..=1.
    pub score: f32,
    /// That it has each role, in the order of `Role::ALL`; 1 in all.
    pub roles: [f32; Role::ALL.len()],
    /// That it is ticked, disabled, focused, each 0..=1.
    pub checked: f32,
    pub disabled: f32,
    pub focused: f32,
}

/// The loaded network.
pub(super) struct Detector {
    network: Network,
    layout: Layout,
}

/// Where what stands in a row.
struct Layout {
    roles: Vec<Role>,
    checked: Option<usize>,
    disabled: Option<usize>,
    focused: Option<usize>,
    width: usize,
}

/// The columns before the roles: four of the box and the score.
const BEFORE_ROLES: usize = 5;

impl Layout {
    /// From the metadata: names separated by commas. Unknown ones are refused: the file belongs to another version.
    fn parse(roles: &str, states: &str) -> std::result::Result<Layout, String> {
        let known = |name: &str| Role::ALL.into_iter().find(|role| role.name() == name);
        let roles: std::result::Result<Vec<Role>, String> =
            roles.split(',').map(|name| known(name).ok_or_else(|| format!("it knows a role {name:?}"))).collect();
        let roles = roles?;
        let states: Vec<&str> = states.split(',').collect();
        let first = BEFORE_ROLES + roles.len();
        let state = |wanted: &str| states.iter().position(|name| *name == wanted).map(|at| first + at);
        let (checked, disabled, focused) = (state("checked"), state("disabled"), state("focused"));
        Ok(Layout { width: first + states.len(), roles, checked, disabled, focused })
    }

    fn seen(&self, row: &[f32], frame: ImageRect) -> Option<Seen> {
        let score = *row.get(4)?;
        if score.is_nan() || score < LEAST_SCORE {
            return None;
        }
        let edge = |at: usize| row.get(at).map(|v| v.round() as i32);
        let bbox = pixels::clip_to(pixels::rect(edge(0)?, edge(1)?, edge(2)?, edge(3)?), frame);
        if bbox.is_empty() {
            return None;
        }
        let roles = row.get(BEFORE_ROLES..BEFORE_ROLES + self.roles.len())?;
        let mut by_role = [0.0; Role::ALL.len()];
        for (role, probability) in self.roles.iter().zip(roles) {
            if let Some(slot) = by_role.get_mut(*role as usize) {
                *slot = *probability;
            }
        }
        let state = |at: Option<usize>| at.and_then(|at| row.get(at)).copied().unwrap_or_default();
        Some(Seen {
            bbox,
            score,
            roles: by_role,
            checked: state(self.checked),
            disabled: state(self.disabled),
            focused: state(self.focused),
        })
    }
}

impl Detector {
    /// Loads the network from the bytes of its ONNX file.
    pub(super) fn load(runtime: &Path, onnx: &[u8]) -> Result<Detector> {
        const NAME: &str = "element detection";
        let network = Network::load(runtime, NAME, onnx)?;
        let layout = Layout::parse(&network.metadata("roles")?, &network.metadata("states")?)
            .map_err(|reason| VisionError::Network { name: NAME, reason })?;
        Ok(Detector { network, layout })
    }

    /// All elements of the picture, the surest first.
    pub(super) fn look(&mut self, image: &RgbImage) -> Result<Vec<Seen>> {
        let frame = pixels::frame(image);
        if frame.is_empty() {
            return Ok(Vec::new());
        }
        let round = |n: u32| (n as usize).div_ceil(STRIDE) * STRIDE;
        let (width, height) = (round(image.width()), round(image.height()));
        let input = planes(image, width, height);
        let layout = &self.layout;
        let rows = self.network.run([1, 3, height, width], &input, |shape, values| {
            if shape.last() != Some(&(layout.width as i64)) {
                return Err(VisionError::Run(format!("element detection gave an unexpected shape {shape:?}")));
            }
            Ok(values.chunks_exact(layout.width).filter_map(|row| layout.seen(row, frame)).collect())
        })?;
        Ok(without_doubles(rows))
    }
}

/// The picture as planes of red, green and blue from 0 to 1.
fn planes(image: &RgbImage, width: usize, height: usize) -> Vec<f32> {
    let mut planes = vec![PADDING; 3 * width * height];
    let row_bytes = image.width() as usize * 3;
    for (y, row) in image.as_raw().chunks_exact(row_bytes).enumerate() {
        for (plane, channel) in planes.chunks_exact_mut(width * height).zip(0..) {
            let Some(line) = plane.get_mut(y * width..(y + 1) * width) else { continue };
            for (value, pixel) in line.iter_mut().zip(row.chunks_exact(3)) {
                *value = f32::from(pixel.get(channel).copied().unwrap_or_default()) / 255.0;
            }
        }
    }
    planes
}

/// Of boxes that mean the same thing the surest one.
fn without_doubles(mut rows: Vec<Seen>) -> Vec<Seen> {
    rows.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut kept: Vec<Seen> = Vec::new();
    for row in rows {
        if !kept.iter().any(|known| overlap(known.bbox, row.bbox) > SAME) {
            kept.push(row);
        }
    }
    kept
}

/// Intersection over union.
pub(super) fn overlap(a: ImageRect, b: ImageRect) -> f32 {
    let shared = pixels::intersection_area(a, b) as f32;
    let all = a.area() as f32 + b.area() as f32 - shared;
    if all > 0.0 { shared / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::vision::pixels::rect;

    fn layout() -> Layout {
        Layout::parse("button,checkbox", "checked,disabled,focused").unwrap()
    }

    #[test]
    fn a_row_is_read_by_the_names_in_the_file() {
        let frame = rect(0, 0, 100, 100);
        let row = [10.4, 20.0, 23.6, 33.0, 0.9, 0.2, 0.8, 0.7, 0.1, 0.0];
        let seen = layout().seen(&row, frame).unwrap();
        assert_eq!((seen.bbox, seen.checked), (rect(10, 20, 24, 33), 0.7));
        assert_eq!((seen.roles[Role::Button as usize], seen.roles[Role::Checkbox as usize]), (0.2, 0.8));
        assert_eq!(layout().seen(&[0.0, 0.0, 9.0, 9.0, 0.1, 1.0, 0.0, 0.0, 0.0, 0.0], frame), None, "too unsure");
        assert_eq!(layout().seen(&[0.0, 0.0, 9.0, 9.0, f32::NAN, 1.0, 0.0, 0.0, 0.0, 0.0], frame), None);
        assert!(Layout::parse("button,lever", "checked").is_err());
    }

    #[test]
    fn one_element_seen_from_several_cells_is_one() {
        let seen = |x: i32, score: f32| Seen {
            bbox: rect(x, 0, x + 60, 20),
            score,
            roles: [0.0; Role::ALL.len()],
            checked: 0.0,
            disabled: 0.0,
            focused: 0.0,
        };
        let kept = without_doubles(vec![seen(2, 0.5), seen(0, 0.9), seen(80, 0.6), seen(3, 0.4)]);
        assert_eq!(kept, [seen(0, 0.9), seen(80, 0.6)]);
    }

    proptest! {
        #[test]
        fn whatever_the_network_says_boxes_stay_in_the_picture(row in prop::collection::vec(any::<f32>(), 0..12)) {
            let frame = rect(0, 0, 64, 48);
            if let Some(seen) = layout().seen(&row, frame) {
                prop_assert!(frame.contains_box(&seen.bbox) && !seen.bbox.is_empty());
            }
        }
    }
}
