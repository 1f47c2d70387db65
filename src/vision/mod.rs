//! The eyes: a picture goes in, numbered elements come out.
//!
//! Owns OCR, shape finding, fusing both into elements with labels, and the annotated picture. It knows
//! `scene/` and nothing else: no desktop, no model, no files (the networks are handed in as bytes).

pub mod annotate;
mod bars;
mod fuse;
mod labels;
mod lines;
mod ocr;
mod pixels;
mod runtime;
mod shapes;

use std::path::Path;

use image::RgbImage;

pub use self::ocr::CharBox;
use self::ocr::Ocr;
use self::shapes::Shapes;
use crate::scene::{Element, ImageRect};

/// Why a picture could not be understood.
#[derive(Debug, thiserror::Error)]
pub enum VisionError {
    #[error("the inference runtime could not be loaded: {0}")]
    Runtime(String),
    #[error("the network {name} cannot be used: {reason}")]
    Network { name: &'static str, reason: String },
    #[error("reading the picture failed: {0}")]
    Run(String),
}

pub type Result<T> = std::result::Result<T, VisionError>;

/// Ink in a field that is read at least this surely is its value; below it is a picture.
const BARELY_READ: f32 = 0.25;

/// One line of text as it was read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadLine {
    /// Empty when nothing stands there.
    pub text: String,
    /// Mean probability of the characters, 0..=1; 1 for an empty place.
    pub confidence: f32,
    /// Each character with the columns of the picture it takes up.
    pub chars: Vec<CharBox>,
    /// The text's extent; the box that was asked for when it is empty.
    pub bbox: ImageRect,
}

/// Reads pictures of screens. Loading takes a fraction of a second, so keep one.
pub struct Eyes {
    ocr: Ocr,
}

impl Eyes {
    /// Loads the inference runtime from `runtime_path` (once per process) and both networks of the OCR from the bytes
    /// of their ONNX files.
    pub fn load(runtime_path: &Path, det: &[u8], rec: &[u8]) -> Result<Eyes> {
        Ok(Eyes { ocr: Ocr::load(runtime_path, det, rec)? })
    }

    /// All elements of the picture in reading order, numbered from 1. What looks as it did on the last picture is not
    /// computed again, so looking after a small change is cheap.
    pub fn look(&mut self, image: &RgbImage) -> Result<Vec<Element>> {
        let shapes = Shapes::of(image);
        let found = self.ocr.find_changed(image, &lines::content(&shapes))?;
        let areas = lines::pieces(image, &shapes, &found);
        let crops: Vec<ImageRect> = areas.iter().map(|a| a.crop).collect();
        let texts = self.ocr.read(image, &crops)?;
        let read = lines::assemble(image, &shapes, areas, texts);
        let mut elements = fuse::elements(image, &shapes, read);
        self.read_lone_signs(image, &mut elements)?;
        Ok(elements)
    }

    /// Reads the fields in which no text was detected once more: a lone letter or digit is easily missed.
    fn read_lone_signs(&mut self, image: &RgbImage, elements: &mut [Element]) -> Result<()> {
        let is_blank = |e: &Element| e.value.as_deref() == Some("") && e.text.is_empty();
        for e in elements.iter_mut().filter(|e| is_blank(e)) {
            let read = self.read_line(image, e.bbox)?;
            if read.confidence >= BARELY_READ {
                e.confidence = e.confidence.min(read.confidence);
                e.value = Some(read.text.clone());
                e.text = read.text;
            }
        }
        Ok(())
    }

    /// Reads what stands inside a known box, e.g. a field or a button, without its border, arrow or box to tick.
    /// Several rows are joined by line ends. There is no detection pass, so it is quick.
    pub fn read_line(&mut self, image: &RgbImage, area: ImageRect) -> Result<ReadLine> {
        let rows = lines::text_inside(image, area);
        let crops: Vec<ImageRect> = rows.iter().flatten().map(|p| p.crop).collect();
        let mut texts = self.ocr.read(image, &crops)?.into_iter();
        let mut line = ReadLine { confidence: 1.0, bbox: pixels::clip(area, image), ..ReadLine::default() };
        if let Some(extent) = rows.iter().flatten().map(|p| p.tight).reduce(|a, b| a.union(&b)) {
            line.bbox = extent;
        }
        for row in rows {
            let mut row_text = String::new();
            for read in texts.by_ref().take(row.len()).filter(|read| !read.text.is_empty()) {
                if !row_text.is_empty() {
                    row_text.push(' ');
                }
                row_text += &read.text;
                line.confidence = line.confidence.min(read.confidence);
                line.chars.extend(read.chars);
            }
            if !line.text.is_empty() && !row_text.is_empty() {
                line.text.push('\n');
            }
            line.text += &row_text;
        }
        Ok(line)
    }

    /// Reads all lines of text inside a box, from top to bottom.
    pub fn read_lines(&mut self, image: &RgbImage, area: ImageRect) -> Result<Vec<ReadLine>> {
        let found = self.ocr.find(image, area)?;
        let mut crops: Vec<ImageRect> = found.iter().map(|b| b.rect).collect();
        crops.sort_by_key(|b| (b.min.y, b.min.x));
        let texts = self.ocr.read(image, &crops)?;
        let lines = texts.into_iter().zip(crops);
        Ok(lines
            .filter(|(read, _)| !read.text.is_empty())
            .map(|(read, bbox)| ReadLine { text: read.text, confidence: read.confidence, chars: read.chars, bbox })
            .collect())
    }
}
