//! Text recognition: crops of one line each, read one by one on all networks at hand, with character positions.

use std::sync::atomic::{AtomicUsize, Ordering};

use image::RgbImage;
use rayon::prelude::*;

use super::{ReadText, ctc};
use crate::scene::ImageRect;
use crate::vision::pixels;
use crate::vision::runtime::Network;
use crate::vision::{Result, VisionError};

/// The network's input height.
const HEIGHT: usize = 48;
/// Input widths are rounded up to this, the network's horizontal stride.
const STRIDE: usize = 8;
/// Narrower crops than this are padded.
const MIN_WIDTH: usize = 48;
/// Wider crops than this are squeezed: about 200 letters.
const MAX_WIDTH: usize = 3200;

/// Reads each of `areas` (one line each) and returns the texts in the same order; an empty area reads as nothing.
/// The networks are equal and share the work. Lines are not batched: on a processor that saves nothing and pads.
pub(super) fn read(
    networks: &mut [Network],
    alphabet: &[String],
    image: &RgbImage,
    areas: &[ImageRect],
) -> Result<Vec<ReadText>> {
    let areas: Vec<ImageRect> = areas.iter().map(|a| pixels::clip(*a, image)).collect();
    let mut order: Vec<usize> = (0..areas.len()).filter(|i| !areas[*i].is_empty()).collect();
    // The longest first, so that all end at about the same time.
    order.sort_by_key(|i| std::cmp::Reverse(scaled_width(areas[*i])));
    let next = AtomicUsize::new(0);
    let read_some = |network: &mut Network| -> Result<Vec<(usize, ReadText)>> {
        let mut read = Vec::new();
        while let Some(i) = order.get(next.fetch_add(1, Ordering::Relaxed)).copied() {
            read.push((i, read_one(network, alphabet, image, areas[i])?));
        }
        Ok(read)
    };
    let read: Vec<Vec<(usize, ReadText)>> = networks.par_iter_mut().map(read_some).collect::<Result<_>>()?;
    let mut texts = vec![ReadText::default(); areas.len()];
    for (i, text) in read.into_iter().flatten() {
        texts[i] = text;
    }
    Ok(texts)
}

/// The width that `area` takes at the network's height.
fn scaled_width(area: ImageRect) -> usize {
    let width = (area.width() as f32 * HEIGHT as f32 / area.height() as f32).ceil() as usize;
    width.clamp(STRIDE, MAX_WIDTH)
}

fn read_one(network: &mut Network, alphabet: &[String], image: &RgbImage, area: ImageRect) -> Result<ReadText> {
    let scaled = scaled_width(area);
    let width = scaled.max(MIN_WIDTH).div_ceil(STRIDE) * STRIDE;
    let mut input = vec![0.0f32; 3 * HEIGHT * width];
    pixels::resized_into(image, area, &mut input, scaled, width, HEIGHT);
    network.run([1, 3, HEIGHT, width], &input, |shape, values| {
        let &[1, steps, classes] = shape else {
            return Err(VisionError::Run(format!("text recognition gave an unexpected shape {shape:?}")));
        };
        if classes as usize != alphabet.len() || steps == 0 {
            return Err(VisionError::Run(format!(
                "text recognition gave {shape:?} for an alphabet of {}",
                alphabet.len()
            )));
        }
        let columns_per_step = width as f32 / steps as f32 * area.width() as f32 / scaled as f32;
        Ok(ReadText::place(ctc::decode(values, alphabet), area, columns_per_step))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_very_long_line_is_squeezed_not_refused() {
        let area = ImageRect::new(crate::scene::ImagePoint::new(0, 0), crate::scene::ImagePoint::new(9000, 10));
        assert_eq!(scaled_width(area), MAX_WIDTH);
    }
}
