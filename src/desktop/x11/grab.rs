//! Pictures of the screen: GetImage on the root window, in any true-colour format of 16 bits or more.

use image::RgbImage;
use x11rb::connection::Connection;
use x11rb::errors::ReplyError;
use x11rb::protocol::xproto::{ConnectionExt, ImageFormat, ImageOrder, MapState, Screen, Setup, VisualClass, Visualid};
use x11rb::rust_connection::RustConnection;

use crate::desktop::{DesktopError, Result};
use crate::scene::DesktopRect;

use super::{Wire, lost};

/// How the server lays out the pixels of the root window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PixelFormat {
    bytes_per_pixel: usize,
    /// Rows are padded to a multiple of this many bytes.
    row_padding: usize,
    big_endian: bool,
    red: Channel,
    green: Channel,
    blue: Channel,
}

/// Where one colour's bits lie within a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Channel {
    shift: u32,
    max: u32,
}

impl Channel {
    fn of(mask: u32) -> Option<Channel> {
        if mask == 0 {
            return None;
        }
        let shift = mask.trailing_zeros();
        Some(Channel { shift, max: mask >> shift })
    }

    fn value(self, pixel: u32) -> u8 {
        let value = (pixel >> self.shift) & self.max;
        if self.max == 255 {
            value as u8
        } else {
            ((u64::from(value) * 255 + u64::from(self.max) / 2) / u64::from(self.max)) as u8
        }
    }
}

impl PixelFormat {
    /// The format of the pixels of a window with this visual.
    ///
    /// # Errors
    /// [`DesktopError::BadCapture`] naming a format that cannot be read (palettes, fewer than 16 bits).
    fn of_visual(setup: &Setup, screen: &Screen, visual: Visualid) -> Result<PixelFormat> {
        let unsupported =
            |what: String| DesktopError::BadCapture(format!("its colour format is not supported: {what}"));
        let visual = screen
            .allowed_depths
            .iter()
            .flat_map(|depth| depth.visuals.iter().map(|visual| (depth.depth, visual)))
            .find(|(_, candidate)| candidate.visual_id == visual);
        let (depth, visual) = visual.ok_or_else(|| unsupported("the window's visual is not listed".to_owned()))?;
        if !matches!(visual.class, VisualClass::TRUE_COLOR | VisualClass::DIRECT_COLOR) {
            return Err(unsupported(format!("{depth} bits with a palette")));
        }
        let format = setup
            .pixmap_formats
            .iter()
            .find(|format| format.depth == depth)
            .ok_or_else(|| unsupported(format!("depth {depth}")))?;
        if !matches!(format.bits_per_pixel, 16 | 24 | 32) {
            return Err(unsupported(format!("{} bits per pixel", format.bits_per_pixel)));
        }
        let channel = |mask| Channel::of(mask).ok_or_else(|| unsupported("a colour without bits".to_owned()));
        Ok(PixelFormat {
            bytes_per_pixel: usize::from(format.bits_per_pixel / 8),
            row_padding: usize::from(format.scanline_pad / 8).max(1),
            big_endian: setup.image_byte_order == ImageOrder::MSB_FIRST,
            red: channel(visual.red_mask)?,
            green: channel(visual.green_mask)?,
            blue: channel(visual.blue_mask)?,
        })
    }

    /// Turns the server's rows into an RGB picture; `None` when there are fewer bytes than the size needs.
    fn decode(&self, data: &[u8], width: u32, height: u32) -> Option<RgbImage> {
        let used = width as usize * self.bytes_per_pixel;
        let stride = used.div_ceil(self.row_padding) * self.row_padding;
        let mut rgb = Vec::with_capacity(width as usize * height as usize * 3);
        let common = self.bytes_per_pixel == 4
            && !self.big_endian
            && [self.red, self.green, self.blue].iter().all(|channel| channel.max == 255)
            && (self.red.shift, self.green.shift, self.blue.shift) == (16, 8, 0);
        for row in 0..height as usize {
            let start = row * stride;
            let line = data.get(start..start + used)?;
            if common {
                rgb.extend(line.chunks_exact(4).flat_map(|pixel| [pixel[2], pixel[1], pixel[0]]));
            } else {
                for bytes in line.chunks_exact(self.bytes_per_pixel) {
                    let fold = |value: u32, byte: &u8| (value << 8) | u32::from(*byte);
                    let pixel =
                        if self.big_endian { bytes.iter().fold(0, fold) } else { bytes.iter().rev().fold(0, fold) };
                    rgb.extend([self.red.value(pixel), self.green.value(pixel), self.blue.value(pixel)]);
                }
            }
        }
        RgbImage::from_raw(width, height, rgb)
    }
}

/// The picture of `area`, which must lie within the root window.
///
/// # Errors
/// [`DesktopError::BadCapture`] when the area is empty or the server's answer has the wrong size.
pub fn grab(connection: &RustConnection, root: u32, format: &PixelFormat, area: DesktopRect) -> Result<RgbImage> {
    if area.is_empty() {
        return Err(DesktopError::BadCapture("nothing of it lies on the screen".to_owned()));
    }
    let beyond = |_| DesktopError::BadCapture("it lies beyond the coordinates of the display".to_owned());
    let (x, y) = (i16::try_from(area.min.x).map_err(beyond)?, i16::try_from(area.min.y).map_err(beyond)?);
    let (width, height) = (u16::try_from(area.width()).map_err(beyond)?, u16::try_from(area.height()).map_err(beyond)?);
    let reply = connection
        .get_image(ImageFormat::Z_PIXMAP, root, x, y, width, height, u32::MAX)
        .map_err(lost)?
        .reply()
        .map_err(lost)?;
    format
        .decode(&reply.data, u32::from(width), u32::from(height))
        .ok_or_else(|| DesktopError::BadCapture("the display sent too little data".to_owned()))
}

/// What a window itself has drawn in `area`, whatever the screen shows there. Without a compositor this is read from the
/// screen; with one each window has memory of its own. `None` when the server does not tell (it is gone, not shown, or
/// not wholly where it was).
///
/// # Errors
/// When the connection is lost.
pub fn own(wire: &Wire, window: u32, area: DesktopRect) -> Result<Option<RgbImage>> {
    let connection = &wire.connection;
    let attributes = connection.get_window_attributes(window).map_err(lost)?;
    let place = connection.translate_coordinates(window, wire.root, 0, 0).map_err(lost)?;
    let (Some(attributes), Some(place)) = (wire.present(attributes.reply())?, wire.present(place.reply())?) else {
        return Ok(None);
    };
    if attributes.map_state != MapState::VIEWABLE {
        return Ok(None);
    }
    let setup = connection.setup();
    let Some(screen) = setup.roots.get(wire.screen) else { return Ok(None) };
    let Ok(format) = PixelFormat::of_visual(setup, screen, attributes.visual) else { return Ok(None) };
    let corner =
        (i16::try_from(area.min.x - i32::from(place.dst_x)), i16::try_from(area.min.y - i32::from(place.dst_y)));
    let size = (u16::try_from(area.width()), u16::try_from(area.height()));
    let ((Ok(x), Ok(y)), (Ok(width), Ok(height))) = (corner, size) else { return Ok(None) };
    let asked = connection.get_image(ImageFormat::Z_PIXMAP, window, x, y, width, height, u32::MAX).map_err(lost)?;
    match asked.reply() {
        Ok(reply) => Ok(format.decode(&reply.data, u32::from(width), u32::from(height))),
        // It has been closed, covered or moved since.
        Err(ReplyError::X11Error(_)) => Ok(None),
        Err(error) => Err(lost(error)),
    }
}

/// The whole root window as it is now; it may have been resized since the connection was made.
pub fn root_rect(connection: &RustConnection, root: u32) -> Result<DesktopRect> {
    let geometry = connection.get_geometry(root).map_err(lost)?.reply().map_err(lost)?;
    Ok(super::rect(0, 0, i32::from(geometry.width), i32::from(geometry.height)))
}

/// The format and root window of a screen.
///
/// # Errors
/// As [`PixelFormat::of_visual`].
pub fn format_of(connection: &RustConnection, screen: usize) -> Result<PixelFormat> {
    let setup = connection.setup();
    let screen = setup.roots.get(screen).ok_or(DesktopError::Missing("the screen that DISPLAY names"))?;
    PixelFormat::of_visual(setup, screen, screen.root_visual)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(bytes: usize, big_endian: bool, masks: [u32; 3]) -> PixelFormat {
        let [red, green, blue] = masks.map(|mask| Channel::of(mask).unwrap());
        PixelFormat { bytes_per_pixel: bytes, row_padding: 4, big_endian, red, green, blue }
    }

    #[test]
    fn pixels_of_every_byte_order_and_mask_give_the_same_colour() {
        let wide = [0xff_0000, 0xff00, 0xff];
        let cases: [(PixelFormat, Vec<u8>); 5] = [
            (format(4, false, wide), vec![0x30, 0x20, 0x10, 0]),
            (format(4, true, wide), vec![0, 0x10, 0x20, 0x30]),
            (format(4, false, [0xff, 0xff00, 0xff_0000]), vec![0x10, 0x20, 0x30, 0]),
            (format(3, false, wide), vec![0x30, 0x20, 0x10, 9]),
            (
                format(4, false, [0x3ff << 20, 0x3ff << 10, 0x3ff]),
                (((0x10u32 << 2) << 20) | ((0x20 << 2) << 10) | (0x30 << 2)).to_le_bytes().to_vec(),
            ),
        ];
        for (format, data) in cases {
            let picture = format.decode(&data, 1, 1).unwrap();
            assert_eq!(picture.get_pixel(0, 0).0, [0x10, 0x20, 0x30], "{format:?}");
        }
    }

    #[test]
    fn sixteen_bits_are_spread_over_the_whole_range() {
        let picture = format(2, false, [0xf800, 0x7e0, 0x1f]).decode(&[0xff, 0xff, 0, 0], 1, 1).unwrap();
        assert_eq!(picture.get_pixel(0, 0).0, [255, 255, 255]);
    }

    #[test]
    fn too_little_data_is_no_picture() {
        assert!(format(4, false, [0xff_0000, 0xff00, 0xff]).decode(&[0; 7], 2, 1).is_none());
    }
}
