//! Monitors and pictures of them, through xcap.

use image::{GenericImage, RgbImage};
use xcap::XCapError;

use crate::desktop::{DesktopError, Monitor, Result};
use crate::scene::{DesktopPoint, DesktopRect};

/// All monitors, the primary one first, then from left to right.
///
/// # Errors
/// When the system does not tell.
pub fn monitors() -> Result<Vec<Monitor>> {
    let mut found = Vec::new();
    for monitor in xcap::Monitor::all().map_err(failed)? {
        found.push(Monitor {
            name: monitor.name().map_err(failed)?,
            bounds: bounds(&monitor).map_err(failed)?,
            scale: f64::from(monitor.scale_factor().map_err(failed)?),
            primary: monitor.is_primary().map_err(failed)?,
        });
    }
    found.sort_by_key(|monitor| (!monitor.primary, monitor.bounds.min.x, monitor.bounds.min.y));
    Ok(found)
}

/// A picture of an area, which may lie across several monitors; where no monitor is it is black.
///
/// # Errors
/// [`DesktopError::BadCapture`] when the system gives no picture.
pub fn grab(area: DesktopRect) -> Result<RgbImage> {
    let size = |length: i32| u32::try_from(length).unwrap_or(0);
    let mut picture = RgbImage::new(size(area.width()), size(area.height()));
    for monitor in xcap::Monitor::all().map_err(failed)? {
        let bounds = bounds(&monitor).map_err(failed)?;
        let Some(part) = bounds.intersection(&area).filter(|part| !part.is_empty()) else { continue };
        let (inside, place) = (part.min - bounds.min, part.min - area.min);
        let taken = monitor
            .capture_region(size(inside.x), size(inside.y), size(part.width()), size(part.height()))
            .map_err(failed)?;
        let taken = image::DynamicImage::from(taken).into_rgb8();
        picture
            .copy_from(&taken, size(place.x), size(place.y))
            .map_err(|error| DesktopError::BadCapture(error.to_string()))?;
    }
    Ok(picture)
}

fn bounds(monitor: &xcap::Monitor) -> std::result::Result<DesktopRect, XCapError> {
    let (x, y) = (monitor.x()?, monitor.y()?);
    let (width, height) = (monitor.width()?.cast_signed(), monitor.height()?.cast_signed());
    Ok(DesktopRect::new(DesktopPoint::new(x, y), DesktopPoint::new(x + width, y + height)))
}

fn failed(error: XCapError) -> DesktopError {
    DesktopError::BadCapture(format!("the system gave no picture of the screen ({error})"))
}
