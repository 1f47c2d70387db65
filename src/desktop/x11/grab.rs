//! Pictures of the screen: GetImage on the root window, in any true-colour format of 16 bits or more.

use image::RgbImage;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt, ImageFormat, ImageOrder, Screen, Setup, VisualClass};
use x11rb::rust_connection::RustConnection;

use crate::desktop::{DesktopError, Result};
use crate::scene::DesktopRect;

use super::lost;

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
    /// The format of the root window's pixels.
    ///
    /// # Errors
    /// [`DesktopError::BadCapture`] naming a format that cannot be read (palettes, fewer than 16 bits).
    pub fn of_root(setup: &Setup, screen: &Screen) -> Result<PixelFormat> {
        let unsupported =
            |what: String| DesktopError::BadCapture(format!("its colour format is not supported: {what}"));
        let visual = screen
            .allowed_depths
            .iter()
            .flat_map(|depth| &depth.visuals)
            .find(|visual| visual.visual_id == screen.root_visual)
            .ok_or_else(|| unsupported("the root window's visual is not listed".to_owned()))?;
        if !matches!(visual.class, VisualClass::TRUE_COLOR | VisualClass::DIRECT_COLOR) {
            return Err(unsupported(format!("{} bits with a palette", screen.root_depth)));
        }
        let format = setup
            .pixmap_formats
            .iter()
            .find(|format| format.depth == screen.root_depth)
            .ok_or_else(|| unsupported(format!("depth {}", screen.root_depth)))?;
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

/// The whole root window as it is now; it may have been resized since the connection was made.
pub fn root_rect(connection: &RustConnection, root: u32) -> Result<DesktopRect> {
    let geometry = connection.get_geometry(root).map_err(lost)?.reply().map_err(lost)?;
    Ok(super::rect(0, 0, i32::from(geometry.width), i32::from(geometry.height)))
}

/// The format and root window of a screen.
///
/// # Errors
/// As [`PixelFormat::of_root`].
pub fn format_of(connection: &RustConnection, screen: usize) -> Result<PixelFormat> {
    let setup = connection.setup();
    let screen = setup.roots.get(screen).ok_or(DesktopError::Missing("the screen that DISPLAY names"))?;
    PixelFormat::of_root(setup, screen)
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
