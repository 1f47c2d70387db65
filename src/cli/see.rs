//! `deskhand see`: what the eyes find on a picture, a window or a monitor.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use image::{ImageReader, RgbImage};
use serde_json::json;

use crate::assembly;
use crate::desktop::accessibility::Accessibility;
use crate::desktop::{CaptureArea, Desktop, WindowInfo};
use crate::payload::Payload;
use crate::scene::Capture;
use crate::tools::look;
use crate::vision::annotate;

use super::{Exit, progress};

/// A picture with more pixels than this is no screen.
const MOST_PIXELS: u64 = 100_000_000;

/// List what Deskhand sees: numbered elements with role, text, label, value and state.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  deskhand see --window Orders
  deskhand see --window Orders --annotate seen.png
  deskhand see --image screen.png --json

Without --image, --window or --monitor the topmost foreign window is looked at. What a window's program says of itself
to screen readers is joined with what is seen (source \"accessibility\"). Nothing is written but --annotate.

Colours of --annotate: buttons blue, icons teal, links violet, text fields red, lists to choose from orange, boxes to
tick green, tabs and menus magenta, cells and entries brown, words grey. Fields have a thick frame, words and cells a
dotted one.")]
pub struct Args {
    /// A picture file (PNG or JPEG) instead of the screen.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["window", "monitor"])]
    image: Option<PathBuf>,
    /// Title (or a part of it) of the window to look at.
    #[arg(long, value_name = "TITLE", conflicts_with = "monitor")]
    window: Option<String>,
    /// A whole monitor, counted from 0.
    #[arg(long, value_name = "N")]
    monitor: Option<usize>,
    /// Write the picture with numbered boxes to this file.
    #[arg(long, value_name = "OUT.png")]
    annotate: Option<PathBuf>,
    /// Look with the element detector in this folder instead of the one inside (near.onnx and far.onnx, made by
    /// models/train/detector)
    #[arg(long, value_name = "FOLDER")]
    detector: Option<PathBuf>,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let sight = match &args.image {
        Some(path) => Sight::Picture(read_picture(path)?),
        None => capture(&args)?,
    };
    let loaded = assembly::eyes(&Payload::open_self()?)?;
    let mut eyes = loaded.eyes;
    if let Some(folder) = &args.detector {
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read(&path).with_context(|| format!("the detector {} cannot be read", path.display()))
        };
        eyes.add_detector(loaded.runtime.path(), &read("near.onnx")?, &read("far.onnx")?)
            .with_context(|| format!("{} holds no element detector", folder.display()))?;
    }
    let elements = match &sight {
        Sight::Picture(image) => eyes.look(image)?,
        Sight::Window(capture, window) => look(&mut eyes, &mut Accessibility::of_session(), capture, window)?,
    };
    let image = sight.image();
    if let Some(path) = &args.annotate {
        annotate::annotate(image, &elements)
            .save(path)
            .with_context(|| format!("the annotated picture {} cannot be written", path.display()))?;
    }
    if args.json {
        let (width, height) = image.dimensions();
        progress::json_line(&json!({"width": width, "height": height, "elements": elements}))?;
        return Ok(Exit::Done);
    }
    for element in &elements {
        let b = element.bbox;
        progress::line(&format!("{element}  at {},{} {}x{}", b.min.x, b.min.y, b.width(), b.height()))?;
    }
    Ok(Exit::Done)
}

/// What is looked at.
enum Sight {
    /// A file, or a monitor: nobody but the eyes knows what it shows.
    Picture(RgbImage),
    /// A window, whose program may say what is in it.
    Window(Capture, WindowInfo),
}

impl Sight {
    fn image(&self) -> &RgbImage {
        match self {
            Sight::Picture(image) => image,
            Sight::Window(capture, _) => &capture.image,
        }
    }
}

fn capture(args: &Args) -> anyhow::Result<Sight> {
    let mut desktop = Desktop::open()?;
    if let Some(monitor) = args.monitor {
        let capture = desktop.capture(CaptureArea::Monitor(monitor))?;
        return Ok(Sight::Picture(capture.image.as_ref().clone()));
    }
    let window = assembly::target(&mut desktop, args.window.as_deref())?;
    desktop.bring_to_front(window)?;
    let front = desktop.front_of(window)?;
    let capture = desktop.capture(CaptureArea::Window(front.id))?;
    Ok(Sight::Window(capture, front))
}

/// Reads a picture file; its size is checked before its pixels are unpacked.
pub(super) fn read_picture(path: &Path) -> anyhow::Result<RgbImage> {
    let unreadable = || format!("the picture {} cannot be read", path.display());
    let open = || -> anyhow::Result<ImageReader<_>> { Ok(ImageReader::open(path)?.with_guessed_format()?) };
    let (width, height) = open().with_context(unreadable)?.into_dimensions().with_context(unreadable)?;
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        bail!("the picture {} has {width}x{height} pixels; at most 100 million are looked at", path.display());
    }
    Ok(open().with_context(unreadable)?.decode().with_context(unreadable)?.to_rgb8())
}
