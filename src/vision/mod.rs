//! The eyes: a picture goes in, numbered elements come out.
//!
//! Owns OCR, shape finding, fusing both into elements with labels, and the annotated picture. It knows
//! `scene/` and nothing else: no desktop, no model, no files (the networks are handed in as bytes).

pub mod annotate;
mod bars;
mod change;
mod detector;
#[cfg(test)]
mod drawing;
mod evidence;
mod focus;
mod forms;
mod fuse;
mod glance;
mod groups;
mod labels;
mod lines;
mod nodes;
mod ocr;
mod pixels;
mod runtime;
mod shapes;
mod tables;
mod values;
mod windows;
mod witness;

use std::path::Path;

use image::RgbImage;

use self::change::Change;
use self::detector::{Detector, Features};
use self::glance::{Glance, Memory};
pub use self::ocr::CharBox;
use self::ocr::Ocr;
pub use self::runtime::forbid_telemetry;
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
    /// Without it the shapes alone decide what stands where.
    detector: Option<Detector>,
    memory: Memory,
}

impl Eyes {
    /// Loads the inference runtime from `runtime_path` (once per process) and both networks of the OCR from the bytes
    /// of their ONNX files.
    pub fn load(runtime_path: &Path, det: &[u8], rec: &[u8]) -> Result<Eyes> {
        Ok(Eyes { ocr: Ocr::load(runtime_path, det, rec)?, detector: None, memory: Memory::default() })
    }

    /// From now on the element detector looks too, whose two networks' ONNX files have these bytes
    /// (`models/train/detector/`).
    pub fn add_detector(&mut self, runtime_path: &Path, near: &[u8], far: &[u8]) -> Result<()> {
        self.detector = Some(Detector::load(runtime_path, near, far)?);
        self.memory = Memory::default();
        Ok(())
    }

    /// Forgets the pictures and lines seen before: the next look sees everything afresh.
    pub fn forget(&mut self) {
        self.memory = Memory::default();
        self.ocr.forget();
    }

    /// All elements of the picture in reading order, numbered from 1. What is as it was on the last picture of this
    /// size, also if it was scrolled, is not looked at again; a line that was read before is not read again.
    pub fn look(&mut self, image: &RgbImage) -> Result<Vec<Element>> {
        let frame = pixels::frame(image);
        let image = focus::without_dots(image, frame);
        let before = self.memory.take(image.width(), image.height());
        let change = before.as_ref().map(|before| Change::between(&before.image, &image));
        let before = match before {
            Some(same) if change.as_ref().is_some_and(Change::is_none) => {
                let elements = same.elements.clone();
                self.memory.keep(same);
                return Ok(elements);
            }
            before => before,
        };
        let (found, features) = before.map(|before| (before.found, before.features)).unzip();
        let (found, features) = (found.as_deref().zip(change.as_ref()), features.zip(change.as_ref()));
        let Eyes { ocr, detector, .. } = self;
        let find_text = || {
            let shapes = Shapes::of(&image);
            let content = lines::content(&shapes);
            let found = glance::look(found, frame, |area| ocr.find_content(&image, &content, area))?;
            Ok((shapes, found))
        };
        let detect = || match detector.as_mut() {
            Some(detector) => detector.look(&image, features),
            None => Ok((Features::default(), Vec::new())),
        };
        let (found, seen): (Result<_>, Result<_>) = rayon::join(find_text, detect);
        let ((shapes, found), (features, seen)) = (found?, seen?);
        let areas = lines::pieces(&image, &shapes, &found);
        let crops: Vec<ImageRect> = areas.iter().map(|a| a.crop).collect();
        let texts = self.ocr.read(&image, &crops)?;
        let read = lines::assemble(&image, &shapes, areas, texts, &seen);
        let mut elements = fuse::elements(&image, &shapes, read, &seen);
        self.read_lone_signs(&image, &mut elements)?;
        self.memory.keep(Glance { image: image.into_owned(), found, features, elements: elements.clone() });
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
        let image = &*focus::without_dots(image, area.inflate(2, 2));
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
        let image = &*focus::without_dots(image, area);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{ImagePoint, State};

    const RUNTIME: &str = if cfg!(windows) { "onnxruntime.dll" } else { "libonnxruntime.so.1" };

    /// The eyes with the real networks; `make test` names their folder.
    pub(super) fn eyes() -> Eyes {
        let folder = std::env::var_os("DESKHAND_MODELS").expect("DESKHAND_MODELS must name the folder of the models");
        let folder = Path::new(&folder);
        let read = |file: &str| std::fs::read(folder.join(file)).expect("the pinned models are there");
        let runtime = folder.join(RUNTIME);
        Eyes::load(&runtime, &read("PP-OCRv6_det_small.onnx"), &read("PP-OCRv6_rec_small.onnx")).expect("the eyes load")
    }

    fn order_form() -> RgbImage {
        let bytes = include_bytes!("testdata/order_form.png");
        image::load_from_memory(bytes).expect("the picture is sound").to_rgb8()
    }

    fn said(elements: &[Element]) -> Vec<String> {
        let interactive = elements.iter().filter(|e| e.role.is_interactive());
        interactive
            .map(|e| {
                let value = e.value.as_ref().map(|v| format!(" = {v}")).unwrap_or_default();
                let ticked = if e.is(State::Checked) { " (checked)" } else { "" };
                format!("{} {}{value}{ticked}", e.role.name(), e.name())
            })
            .collect()
    }

    #[test]
    fn a_form_is_read_exactly_and_again_after_a_change() {
        let mut eyes = eyes();
        let form = order_form();
        let seen = eyes.look(&form).expect("it is read");
        let expected = [
            "textbox Customer name = Sample Ltd",
            "textbox Product code = 00120",
            "textbox 数量 = 12.50",
            "combobox 结算方式 = 月结",
            "textbox Remarks = ",
            "checkbox Urgent (checked)",
            "checkbox 含税",
            "radio Cash",
            "radio Transfer (checked)",
            "button Save",
            "button 取消",
        ];
        assert_eq!(said(&seen), expected);

        // The same picture again, then with the second field's words in the empty one.
        assert_eq!(eyes.look(&form).expect("it is read"), seen);
        let mut changed = form.clone();
        image::imageops::replace(
            &mut changed,
            &image::imageops::crop_imm(&form, 157, 46, 100, 20).to_image(),
            157,
            137,
        );
        let again = eyes.look(&changed).expect("it is read");
        assert_eq!(said(&again)[4], "textbox Remarks = 00120");
        assert_eq!(said(&again)[..4], expected[..4]);
    }

    #[test]
    fn a_known_field_is_read_without_looking_at_the_rest() {
        let mut eyes = eyes();
        let form = order_form();
        let mut read = |x0, y0, x1, y1| {
            let area = ImageRect::new(ImagePoint::new(x0, y0), ImagePoint::new(x1, y1));
            eyes.read_line(&form, area).expect("it is read").text
        };
        assert_eq!(read(156, 45, 380, 68), "00120");
        assert_eq!(read(155, 106, 372, 129), "月结", "a combobox without its arrow");
        assert_eq!(read(156, 136, 380, 159), "", "an empty field");
        assert_eq!(read(29, 179, 98, 194), "Urgent", "a checkbox without its box");
        assert_eq!(read(320, 209, 378, 240), "取消");
        assert_eq!(read(-50, -50, -10, -10), "", "a place outside the picture");
    }

    #[test]
    fn all_lines_of_a_region_are_read_from_top_to_bottom() {
        let lines = eyes().read_lines(&order_form(), pixels::rect(10, 8, 150, 135)).expect("it is read");
        let texts: Vec<String> = lines.iter().map(|l| l.text.trim_end_matches([':', '：']).to_owned()).collect();
        assert_eq!(texts, ["Customer name", "Product code", "数量", "结算方式"]);
    }

    #[test]
    fn with_the_detector_the_form_has_the_same_fields_and_values() {
        let mut eyes = eyes();
        let form = order_form();
        let values = |elements: Vec<Element>| {
            elements.into_iter().filter_map(|e| e.value.map(|value| (e.label, value))).collect::<Vec<_>>()
        };
        let before = values(eyes.look(&form).expect("it is read"));
        let folder = std::env::var_os("DESKHAND_MODELS").expect("DESKHAND_MODELS must name the folder of the models");
        let runtime = Path::new(&folder).join(RUNTIME);
        let [near, far]: [&[u8]; 2] = [
            include_bytes!("../../models/train/detector/near.onnx"),
            include_bytes!("../../models/train/detector/far.onnx"),
        ];
        eyes.add_detector(&runtime, near, far).expect("it loads");
        assert_eq!(values(eyes.look(&form).expect("it is read")), before);
    }

    #[test]
    fn pictures_of_any_size_are_looked_at() {
        let mut eyes = eyes();
        for (width, height) in [(0, 0), (1, 1), (1, 700), (700, 1), (33, 31)] {
            let image = RgbImage::from_pixel(width, height, image::Rgb([200; 3]));
            assert_eq!(eyes.look(&image).expect("it is looked at"), []);
        }
    }

    #[test]
    fn what_is_no_network_is_refused_by_name() {
        let folder = std::env::var_os("DESKHAND_MODELS").expect("DESKHAND_MODELS must name the folder of the models");
        let runtime = Path::new(&folder).join(RUNTIME);
        let error = Eyes::load(&runtime, b"no network", b"").err().expect("refused").to_string();
        assert!(error.starts_with("the network text detection cannot be used: "), "{error}");
    }
}
