//! Reading text: where lines are (`detect`), what they say (`recognise`), both from pixels to plain data.

pub(super) mod ctc;
pub(super) mod detect;
pub(super) mod recognise;

use std::path::Path;

use image::RgbImage;

use self::ctc::Decoded;
use super::Result;
use super::runtime::Network;
use crate::scene::ImageRect;

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

/// Both networks of the optical character recognition.
pub(super) struct Ocr {
    detection: Network,
    recognition: Network,
    alphabet: Vec<String>,
}

impl Ocr {
    pub(super) fn load(runtime: &Path, det: &[u8], rec: &[u8]) -> Result<Ocr> {
        let detection = Network::load(runtime, "text detection", det)?;
        let recognition = Network::load(runtime, "text recognition", rec)?;
        let alphabet = ctc::alphabet(&recognition.metadata("character")?);
        Ok(Ocr { detection, recognition, alphabet })
    }

    /// Where text stands inside `area` of the picture; boxes in pixels of the picture.
    pub(super) fn find(&mut self, image: &RgbImage, area: ImageRect) -> Result<Vec<TextBox>> {
        detect::find(&mut self.detection, image, area)
    }

    /// Reads each of `areas` as one line, in the same order.
    pub(super) fn read(&mut self, image: &RgbImage, areas: &[ImageRect]) -> Result<Vec<ReadText>> {
        recognise::read(&mut self.recognition, &self.alphabet, image, areas)
    }
}

impl ReadText {
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
