//! Text recognition: crops of one line each, batched by similar width, read with character positions.

use image::RgbImage;

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
/// Lines read in one pass; more does not save time on a processor.
const MAX_BATCH: usize = 8;

/// Reads each of `areas` (one line each) and returns the texts in the same order; an empty area reads as nothing.
pub(super) fn read(
    network: &mut Network,
    alphabet: &[String],
    image: &RgbImage,
    areas: &[ImageRect],
) -> Result<Vec<ReadText>> {
    let areas: Vec<ImageRect> = areas.iter().map(|a| pixels::clip(*a, image)).collect();
    let mut order: Vec<(usize, usize)> = areas
        .iter()
        .enumerate()
        .filter(|(_, area)| !area.is_empty())
        .map(|(i, area)| (scaled_width(*area), i))
        .collect();
    order.sort_unstable();
    let mut texts = vec![ReadText::default(); areas.len()];
    let mut rest = order.as_slice();
    while let Some(&(narrowest, _)) = rest.first() {
        let len = batch_len(rest, narrowest);
        let (batch, later) = rest.split_at(len);
        rest = later;
        read_batch(network, alphabet, image, &areas, batch, &mut texts)?;
    }
    Ok(texts)
}

/// How many of the next crops go together: those whose width is within a seventh, so that little padding is computed.
fn batch_len(rest: &[(usize, usize)], narrowest: usize) -> usize {
    let limit = narrowest + (narrowest / 7).max(2 * STRIDE);
    rest.iter().take(MAX_BATCH).take_while(|(width, _)| *width <= limit).count().max(1)
}

/// The width that `area` takes at the network's height.
fn scaled_width(area: ImageRect) -> usize {
    let width = (area.width() as f32 * HEIGHT as f32 / area.height() as f32).ceil() as usize;
    width.clamp(STRIDE, MAX_WIDTH)
}

fn read_batch(
    network: &mut Network,
    alphabet: &[String],
    image: &RgbImage,
    areas: &[ImageRect],
    batch: &[(usize, usize)],
    texts: &mut [ReadText],
) -> Result<()> {
    let widest = batch.iter().map(|(width, _)| *width).max().unwrap_or(MIN_WIDTH);
    let width = widest.max(MIN_WIDTH).div_ceil(STRIDE) * STRIDE;
    let mut input = vec![0.0f32; batch.len() * 3 * HEIGHT * width];
    for (slot, (scaled, i)) in input.chunks_exact_mut(3 * HEIGHT * width).zip(batch) {
        pixels::resized_into(image, areas[*i], slot, *scaled, width, HEIGHT);
    }
    network.run([batch.len(), 3, HEIGHT, width], &input, |shape, values| {
        let &[n, steps, classes] = shape else {
            return Err(VisionError::Run(format!("text recognition gave an unexpected shape {shape:?}")));
        };
        let (steps, classes) = (steps as usize, classes as usize);
        if n as usize != batch.len() || classes != alphabet.len() || steps == 0 {
            return Err(VisionError::Run(format!(
                "text recognition gave {shape:?} for {} lines and an alphabet of {}",
                batch.len(),
                alphabet.len()
            )));
        }
        for (row, (scaled, i)) in values.chunks_exact(steps * classes).zip(batch) {
            let area = areas[*i];
            let columns_per_step = width as f32 / steps as f32 * area.width() as f32 / *scaled as f32;
            texts[*i] = ReadText::place(ctc::decode(row, alphabet), area, columns_per_step);
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_hold_crops_of_similar_width() {
        let widths: Vec<(usize, usize)> =
            [100, 104, 110, 114, 130, 400].iter().copied().enumerate().map(|(i, w)| (w, i)).collect();
        assert_eq!(batch_len(&widths, 100), 4);
        assert_eq!(batch_len(&widths[4..], 130), 1);
        assert_eq!(batch_len(&[(50, 0); 20], 50), MAX_BATCH);
    }

    #[test]
    fn a_very_long_line_is_squeezed_not_refused() {
        let area = ImageRect::new(crate::scene::ImagePoint::new(0, 0), crate::scene::ImagePoint::new(9000, 10));
        assert_eq!(scaled_width(area), MAX_WIDTH);
    }
}
