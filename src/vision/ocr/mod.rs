//! Reading text: where lines are (`detect`), what they say (`recognise`), both from pixels to plain data.

mod attention;
pub(super) mod ctc;
pub(super) mod detect;
pub(super) mod recognise;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use image::RgbImage;
use xxhash_rust::xxh3::Xxh3;

pub(super) use self::attention::Tiles;
use self::ctc::Decoded;
use super::Result;
use super::pixels;
use super::runtime::Network;
use crate::scene::ImageRect;

/// So many different crops are remembered; then memory starts anew.
const MAX_KNOWN: usize = 4096;

/// A box in which the detection network sees text, with its mean score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TextBox {
    pub rect: ImageRect,
    pub score: f32,
}

/// A character with the columns of the picture that it takes up, approximately.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CharBox {
    pub ch: char,
    pub x0: f32,
    pub x1: f32,
}

/// One read line: its text, the mean probability of its characters, and where each of them stands.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ReadText {
    pub text: String,
    pub confidence: f32,
    pub chars: Vec<CharBox>,
}

/// Both networks of the optical character recognition, and what they read before: a line that looks as it did is not
/// read again.
pub(super) struct Ocr {
    detection: Network,
    recognition: Network,
    alphabet: Vec<String>,
    /// Texts by the hash of their crop; columns count from the crop's left edge.
    known: HashMap<u128, ReadText>,
}

impl Ocr {
    pub(super) fn load(runtime: &Path, det: &[u8], rec: &[u8]) -> Result<Ocr> {
        let detection = Network::load(runtime, "text detection", det)?;
        let recognition = Network::load(runtime, "text recognition", rec)?;
        let alphabet = ctc::alphabet(&recognition.metadata("character")?);
        Ok(Ocr { detection, recognition, alphabet, known: HashMap::new() })
    }

    /// Where text stands on the picture. Only tiles of `content` are looked at.
    pub(super) fn find_content(&mut self, image: &RgbImage, content: &Tiles) -> Result<Vec<TextBox>> {
        let mut boxes = Vec::new();
        for area in content.areas(pixels::frame(image)) {
            for found in detect::find(&mut self.detection, image, area)? {
                detect::merge_into(&mut boxes, found);
            }
        }
        Ok(boxes)
    }

    /// Where text stands inside `area` of the picture; boxes in pixels of the picture.
    pub(super) fn find(&mut self, image: &RgbImage, area: ImageRect) -> Result<Vec<TextBox>> {
        detect::find(&mut self.detection, image, area)
    }

    /// Reads each of `areas` as one line, in the same order.
    pub(super) fn read(&mut self, image: &RgbImage, areas: &[ImageRect]) -> Result<Vec<ReadText>> {
        let areas: Vec<ImageRect> = areas.iter().map(|a| pixels::clip(*a, image)).collect();
        let keys: Vec<u128> = areas.iter().map(|a| fingerprint(image, *a)).collect();
        // The same value in many rows of a table is read once.
        let mut asked = HashSet::new();
        let unknown: Vec<(u128, ImageRect)> = keys
            .iter()
            .copied()
            .zip(areas.iter().copied())
            .filter(|(key, _)| !self.known.contains_key(key) && asked.insert(*key))
            .collect();
        let crops: Vec<ImageRect> = unknown.iter().map(|(_, area)| *area).collect();
        let texts = recognise::read(&mut self.recognition, &self.alphabet, image, &crops)?;
        if self.known.len() + texts.len() > MAX_KNOWN {
            self.known.retain(|key, _| keys.contains(key));
        }
        for ((key, area), text) in unknown.into_iter().zip(texts) {
            self.known.insert(key, text.shifted(-area.min.x as f32));
        }
        let placed = keys.iter().zip(&areas).map(|(key, area)| match self.known.get(key) {
            Some(text) => text.clone().shifted(area.min.x as f32),
            None => ReadText::default(),
        });
        Ok(placed.collect())
    }
}

/// Two crops with this number look the same.
fn fingerprint(image: &RgbImage, area: ImageRect) -> u128 {
    let mut hash = Xxh3::new();
    hash.update(&area.width().to_le_bytes());
    let (left, length) = (area.min.x.max(0) as usize * 3, area.width().max(0) as usize * 3);
    for y in area.min.y..area.max.y {
        let start = y.max(0) as usize * image.width() as usize * 3 + left;
        hash.update(image.as_raw().get(start..start + length).unwrap_or_default());
    }
    hash.digest128()
}

impl ReadText {
    /// The same text so many columns further right.
    fn shifted(mut self, by: f32) -> ReadText {
        for c in &mut self.chars {
            c.x0 += by;
            c.x1 += by;
        }
        self
    }

    /// Places the characters of a decoded line of `steps` time steps onto the columns of `area`.
    fn place(decoded: Decoded, area: ImageRect, columns_per_step: f32) -> ReadText {
        let left = area.min.x as f32;
        let right = area.max.x as f32;
        let at = |step: f32| (left + step * columns_per_step).clamp(left, right);
        let chars = decoded
            .chars
            .iter()
            .map(|c| CharBox { ch: c.ch, x0: at(c.first as f32), x1: at(c.last as f32 + 1.0) })
            .collect();
        ReadText { text: decoded.text(), confidence: decoded.confidence(), chars }
    }
}
