//! Kernels for any machine: plain loops, with SSE2 where every processor has it.

use super::{Block, Floats, Into, Value, elementwise};
#[cfg(any(test, not(target_arch = "x86_64")))]
use crate::model::local::packed::LINE;
use crate::model::local::packed::{BLOCK, Format, ROWS, Tile};
use crate::model::local::tensor_type::half_to_f32;

pub fn multiply(tile: Tile, x: &[Block], tokens: usize, out: &mut [f32], into: Into) {
    if into == Into::Replace {
        out.fill(0.0);
    }
    let scales = tile.scales.chunks_exact(tile.format.scale_bytes());
    let numbers = tile.numbers.chunks_exact(tile.format.number_bytes());
    for ((scales, numbers), x) in scales.zip(numbers).zip(x.chunks_exact(tokens)) {
        let mut factors = [0.0; 2 * ROWS];
        for (f, h) in factors.iter_mut().zip(scales.as_chunks::<2>().0) {
            *f = scale(u16::from_le_bytes(*h));
        }
        let (factors, minima) = factors.split_at_mut(ROWS);
        if tile.format == Format::Q4_0 {
            for (m, f) in minima.iter_mut().zip(&*factors) {
                *m = -8.0 * f;
            }
        }
        for (block, out) in x.iter().zip(out.as_chunks_mut::<ROWS>().0) {
            #[cfg(target_arch = "x86_64")]
            let dots = super::sse2::dots(tile.format, numbers, &block.bytes);
            #[cfg(not(target_arch = "x86_64"))]
            let dots = dots(tile.format, numbers, &block.bytes);
            for (((o, dot), factor), minimum) in out.iter_mut().zip(&dots).zip(&*factors).zip(&*minima) {
                *o += *dot as f32 * (factor * block.scale) + minimum * block.sum;
            }
        }
    }
}

/// A half-precision scale; of numbers that are none it makes some number, which weights of such a scale deserve.
#[inline(always)]
fn scale(half: u16) -> f32 {
    let magnitude = f32::from_bits(u32::from(half & 0x7fff) << 13) * f32::from_bits((127 + 112) << 23);
    f32::from_bits(magnitude.to_bits() | u32::from(half & 0x8000) << 16)
}

pub fn multiply_floats(tile: Tile, x: &[Floats], tokens: usize, out: &mut [f32], into: Into) {
    if into == Into::Replace {
        out.fill(0.0);
    }
    for (numbers, x) in tile.numbers.chunks_exact(Format::F16.number_bytes()).zip(x.chunks_exact(tokens)) {
        for (c, column) in numbers.chunks_exact(2 * ROWS).enumerate() {
            let mut weights = [0.0; ROWS];
            for (w, half) in weights.iter_mut().zip(column.as_chunks::<2>().0) {
                *w = half_to_f32(u16::from_le_bytes(*half));
            }
            for (values, out) in x.iter().zip(out.as_chunks_mut::<ROWS>().0) {
                for (o, w) in out.iter_mut().zip(&weights) {
                    *o += w * values.0[c];
                }
            }
        }
    }
}

/// The products of the 16 rows of a block of a tile with the bytes of one token.
#[cfg(any(test, not(target_arch = "x86_64")))]
pub fn dots(format: Format, numbers: &[u8], bytes: &[i8; BLOCK]) -> [i32; ROWS] {
    let mut dots = [0; ROWS];
    for (l, line) in numbers.as_chunks::<LINE>().0.iter().enumerate() {
        for (dot, quad) in dots.iter_mut().zip(line.as_chunks::<4>().0) {
            for (i, byte) in quad.iter().enumerate() {
                let value = |quad: usize| i32::from(bytes[4 * quad + i]);
                *dot += match format {
                    Format::Q4_1 | Format::Q4_0 => {
                        i32::from(byte & 15) * value(l) + i32::from(byte >> 4) * value(l + 4)
                    }
                    Format::Q8_0 | Format::F16 => i32::from(*byte as i8) * value(l),
                };
            }
        }
    }
    dots
}

pub fn normalise<V: Value>(x: &[f32], token: usize, tokens: usize, weight: &[f32], epsilon: f32, out: &mut [V]) {
    elementwise::normalise(x, token, tokens, weight, epsilon, out);
}

pub fn gate<V: Value>(gate: &[f32], up: &[f32], out: &mut [V]) {
    elementwise::gate(gate, up, out);
}

pub fn form<V: Value>(values: &[f32; BLOCK]) -> V {
    V::of(values)
}

pub fn soften(scores: &mut [f32]) -> f32 {
    elementwise::soften(scores)
}

pub fn halve(values: &[f32], out: &mut [u16]) {
    for (half, value) in out.iter_mut().zip(values) {
        *half = f32_to_half(*value);
    }
}

/// IEEE 754 single to half precision, to nearest even; what is too large becomes infinite.
fn f32_to_half(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16 & 0x8000) as u16;
    let magnitude = bits & 0x7fff_ffff;
    if magnitude > 0x7f80_0000 {
        return sign | 0x7e00;
    }
    if magnitude >= 0x4780_0000 {
        return sign | 0x7c00;
    }
    if magnitude < 0x3880_0000 {
        // Below the normal halves: adding a half lines the fraction up with the steps of 2^-24 and rounds.
        return sign | (f32::from_bits(magnitude) + 0.5).to_bits() as u16;
    }
    let odd = magnitude >> 13 & 1;
    sign | ((magnitude - 0x3800_0000 + 0xfff + odd) >> 13) as u16
}

pub fn scores(queries: &[f32], head: usize, keys: &[u16], padded: usize, out: &mut [f32], stride: usize) {
    for (query, out) in queries.chunks_exact(head).zip(out.chunks_mut(stride)) {
        for (block, out) in keys.chunks_exact(8 * head).zip(out[..padded].as_chunks_mut::<8>().0) {
            *out = [0.0; 8];
            for (q, keys) in query.iter().zip(block.as_chunks::<8>().0) {
                for (o, k) in out.iter_mut().zip(keys) {
                    *o += q * scale(*k);
                }
            }
        }
    }
}

pub fn mix(weights: &[f32], stride: usize, values: &[u16], len: usize, head: usize, out: &mut [f32], into: Into) {
    for (weights, out) in weights.chunks(stride).zip(out.chunks_exact_mut(head)) {
        if into == Into::Replace {
            out.fill(0.0);
        }
        for (weight, values) in weights[..len].iter().zip(values.chunks_exact(head)) {
            for (o, v) in out.iter_mut().zip(values) {
                *o += weight * scale(*v);
            }
        }
    }
}
