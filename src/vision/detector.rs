//! The element detector: our own network that says what stands where and in which state (`models/train/detector/`).
//!
//! It is two networks in a row. The first looks at the picture: `[1, 3, H, W]` float32, RGB from 0 to 1, H and W
//! multiples of 32; it gives what is near each cell of stride 8, 16 and 32. The second makes elements of that:
//! `[N, 4 + 1 + roles + states]`, a row for each cell of stride 8 and of stride 32: the box in pixels, how sure it is
//! that an element stands there, the probability of each role, of each state. The names of roles and states stand in its
//! metadata. What is near is computed anew only where the picture has changed; what an element is depends on things far
//! from it, so the second network runs on the whole each time.

use std::path::Path;

use image::RgbImage;

use super::change::Change;
use super::runtime::Network;
use super::{Result, VisionError};
use super::{glance, pixels};
use crate::scene::{ImageRect, Role};

/// What stands right of and below the picture.
const PADDING: f32 = 0.45;
/// Rows below are not looked at.
const LEAST_SCORE: f32 = 0.25;
/// Boxes that share more than this are one element, seen from several cells.
const SAME: f32 = 0.55;

/// Strides of what the first network gives.
const STRIDES: [usize; 3] = [8, 16, 32];
/// A change is felt by cells so far away (the first network's windows reach 135 pixels, their ends weigh next to
/// nothing)...
const NEAR: i32 = 128;
/// ...and around them the same must be seen as in the whole picture.
const AROUND: i32 = 128;
/// When more than one such part of the picture must be looked at, all of it is.
const LARGE: i32 = 2;

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

/// What is near each cell of a picture: a map for each of `STRIDES`.
#[derive(Default)]
pub(super) struct Features {
    maps: Vec<Map>,
}

/// `channels` planes of `height` x `width` cells.
struct Map {
    channels: usize,
    width: usize,
    height: usize,
    values: Vec<f32>,
}

impl Features {
    /// Takes over what a look at `area` gave for the pixels of `part`; all edges lie on the grid of the largest stride.
    fn paste(&mut self, new: &Features, area: ImageRect, part: ImageRect) {
        for ((map, new), stride) in self.maps.iter_mut().zip(&new.maps).zip(STRIDES) {
            let cells = |pixels: i32| pixels.max(0) as usize / stride;
            let (left, top) = (cells(area.min.x), cells(area.min.y));
            let (x0, x1) = (cells(part.min.x), cells(part.max.x).min(map.width));
            for channel in 0..map.channels.min(new.channels) {
                for y in cells(part.min.y)..cells(part.max.y).min(map.height) {
                    let to = (channel * map.height + y) * map.width;
                    let from = (channel * new.height + y - top) * new.width;
                    let target = map.values.get_mut(to + x0..to + x1);
                    let source = new.values.get(from + x0 - left..from + x1 - left);
                    if let (Some(target), Some(source)) = (target, source) {
                        target.copy_from_slice(source);
                    }
                }
            }
        }
    }
}

/// Both networks, loaded.
pub(super) struct Detector {
    near: Network,
    far: Network,
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
    /// Loads both networks from the bytes of their ONNX files.
    pub(super) fn load(runtime: &Path, near: &[u8], far: &[u8]) -> Result<Detector> {
        const NAME: &str = "element detection";
        let (near, far) = (Network::load(runtime, NAME, near)?, Network::load(runtime, NAME, far)?);
        let layout = Layout::parse(&far.metadata("roles")?, &far.metadata("states")?)
            .map_err(|reason| VisionError::Network { name: NAME, reason })?;
        Ok(Detector { near, far, layout })
    }

    /// All elements of the picture, the surest first, and what is to be handed in with the change to the next picture.
    pub(super) fn look(
        &mut self,
        image: &RgbImage,
        before: Option<(Features, &Change)>,
    ) -> Result<(Features, Vec<Seen>)> {
        let frame = pixels::frame(image);
        if frame.is_empty() {
            return Ok((Features::default(), Vec::new()));
        }
        let features = match before {
            Some((features, change)) => self.renew(image, features, change)?,
            None => self.look_near(image, frame)?,
        };
        let inputs = features.maps.iter().map(|m| ([1, m.channels, m.height, m.width], m.values.as_slice()));
        let layout = &self.layout;
        let rows = self.far.run_all(&inputs.collect::<Vec<_>>(), |outputs| match outputs {
            [(shape, values)] if shape.last() == Some(&(layout.width as i64)) => {
                Ok(values.chunks_exact(layout.width).filter_map(|row| layout.seen(row, frame)).collect())
            }
            _ => Err(unexpected(outputs)),
        })?;
        Ok((features, without_doubles(rows)))
    }

    /// What is near each cell of `area`, whose edges lie on the networks' grid or on the picture's edge.
    fn look_near(&mut self, image: &RgbImage, area: ImageRect) -> Result<Features> {
        let round = |n: i32| (n as usize).div_ceil(pixels::GRID as usize) * pixels::GRID as usize;
        let (width, height) = (round(area.width()), round(area.height()));
        let input = planes(image, area, width, height);
        self.near.run_all(&[([1, 3, height, width], &input)], |outputs| {
            let map = |((shape, values), stride): (&(&[i64], &[f32]), usize)| match **shape {
                [1, channels, h, w] if [h, w] == [height / stride, width / stride].map(|n| n as i64) => {
                    let (channels, width, height) = (channels as usize, w as usize, h as usize);
                    Ok(Map { channels, width, height, values: values.to_vec() })
                }
                _ => Err(unexpected(outputs)),
            };
            let maps: Vec<Map> = outputs.iter().zip(STRIDES).map(map).collect::<Result<_>>()?;
            if maps.len() == STRIDES.len() { Ok(Features { maps }) } else { Err(unexpected(outputs)) }
        })
    }

    /// What is near each cell after a change.
    fn renew(&mut self, image: &RgbImage, mut features: Features, change: &Change) -> Result<Features> {
        let frame = pixels::frame(image);
        let changed = change.dirty.iter().copied().chain(change.moved.map(|moved| moved.area));
        let felt: Vec<ImageRect> = changed.map(|part| pixels::snapped(part.inflate(NEAR, NEAR))).collect();
        let parts = glance::joined(&felt, AROUND);
        let around = |part: &ImageRect| pixels::clip_to(part.inflate(AROUND, AROUND), frame);
        if parts.iter().map(|part| around(part).area()).sum::<i32>() > frame.area() / LARGE {
            return self.look_near(image, frame);
        }
        for part in parts {
            let area = around(&part);
            features.paste(&self.look_near(image, area)?, area, pixels::clip_to(part, pixels::snapped(frame)));
        }
        Ok(features)
    }
}

fn unexpected(outputs: &[(&[i64], &[f32])]) -> VisionError {
    let shapes: Vec<&[i64]> = outputs.iter().map(|(shape, _)| *shape).collect();
    VisionError::Run(format!("element detection gave unexpected shapes {shapes:?}"))
}

/// `area` of the picture as planes of red, green and blue from 0 to 1.
fn planes(image: &RgbImage, area: ImageRect, width: usize, height: usize) -> Vec<f32> {
    let mut planes = vec![PADDING; 3 * width * height];
    for (y, row) in (area.min.y..area.max.y).map(|y| pixels::row(image, y, area.min.x, area.max.x)).enumerate() {
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

    #[test]
    fn after_a_change_the_elements_are_those_of_a_fresh_look() {
        let folder = std::env::var_os("DESKHAND_MODELS").expect("DESKHAND_MODELS must name the folder of the models");
        let runtime = Path::new(&folder).join(if cfg!(windows) { "onnxruntime.dll" } else { "libonnxruntime.so.1" });
        let [near, far]: [&[u8]; 2] = [
            include_bytes!("../../models/train/detector/near.onnx"),
            include_bytes!("../../models/train/detector/far.onnx"),
        ];
        let mut detector = Detector::load(&runtime, near, far).unwrap();
        let form = image::load_from_memory(include_bytes!("testdata/order_form.png")).unwrap().to_rgb8();
        // Large enough that a part of it is worth a look of its own, and not of the networks' grid.
        let mut before = RgbImage::from_pixel(1270, 790, *form.get_pixel(2, 2));
        for (x, y) in [(0, 0), (640, 20), (100, 420), (700, 400)] {
            image::imageops::replace(&mut before, &form, x, y);
        }
        let mut now = before.clone();
        image::imageops::replace(&mut now, &image::imageops::crop_imm(&form, 157, 46, 100, 20).to_image(), 157, 137);
        let change = Change::between(&before, &now);
        let (features, seen) = detector.look(&before, None).unwrap();
        let renewed = detector.look(&now, Some((features, &change))).unwrap().1;
        let fresh = detector.look(&now, None).unwrap().1;
        let told = |seen: &[Seen]| seen.iter().map(|s| (s.bbox, (s.score * 50.0).round() as i32)).collect::<Vec<_>>();
        assert_eq!(told(&renewed), told(&fresh));
        assert_ne!(told(&seen), told(&fresh), "the change shows");
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
