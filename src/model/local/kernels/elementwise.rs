//! Arithmetic on single values and rows, written so that the compiler turns it into the vectors of whoever inlines it.
//!
//! Everything here is `inline(always)`: called from a function with `target_feature`, it is compiled with those
//! features. Sums go through eight lanes in a fixed order, so all levels give the same bits.

use super::{Block, Value};
use crate::model::local::packed::{BLOCK, ROWS};

const LANES: usize = 8;
/// Adding it to a small number leaves the number, rounded to nearest even, in the low bits.
const ROUND: f32 = 12_582_912.0;

/// A whole number near `x` (within 2^22), as float bits above [`ROUND`].
#[inline(always)]
fn round(x: f32) -> i32 {
    (x + ROUND).to_bits() as i32 - ROUND.to_bits() as i32
}

/// `e^x`, relative error below 3e-7; what is too small for a normal number becomes about 1e-38. Cephes' `expf`.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    let x = if x < -87.0 { -87.0 } else { x };
    let x = if x > 88.0 { 88.0 } else { x };
    let n = round(x * std::f32::consts::LOG2_E);
    let whole = n as f32;
    let r = x - whole * 0.693_359_4 - whole * -2.121_944_4e-4;
    let mut p = 1.987_569_1e-4;
    p = p * r + 1.398_199_9e-3;
    p = p * r + 8.333_452e-3;
    p = p * r + 4.166_579_6e-2;
    p = p * r + 1.666_666_5e-1;
    p = p * r + 5e-1;
    (p * r * r + r + 1.0) * f32::from_bits(((n + 127) << 23) as u32)
}

#[inline(always)]
fn total(lanes: [f32; LANES]) -> f32 {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// Quantises 32 values.
#[inline(always)]
pub fn quantise(values: &[f32; BLOCK]) -> Block {
    let mut out = Block::ZERO;
    let mut most = [0.0f32; LANES];
    for lane in values.as_chunks::<LANES>().0 {
        for (m, v) in most.iter_mut().zip(lane) {
            let v = v.abs();
            *m = if v > *m { v } else { *m };
        }
    }
    let most = most.iter().fold(0.0f32, |a, b| if *b > a { *b } else { a });
    let scale = most / 127.0;
    let inverse = if most > 0.0 { 127.0 / most } else { 0.0 };
    let mut sum = 0;
    for (byte, value) in out.bytes.iter_mut().zip(values) {
        let number = round(value * inverse);
        *byte = number as i8;
        sum += number;
    }
    out.scale = scale;
    out.sum = scale * sum as f32;
    out
}

#[inline(always)]
pub fn normalise<V: Value>(x: &[f32], token: usize, tokens: usize, weight: &[f32], epsilon: f32, out: &mut [V]) {
    let tiles = x.as_chunks::<ROWS>().0;
    let mut squares = [0.0; LANES];
    for tile in tiles.iter().skip(token).step_by(tokens) {
        for lane in tile.as_chunks::<LANES>().0 {
            for (s, v) in squares.iter_mut().zip(lane) {
                *s += v * v;
            }
        }
    }
    let factor = 1.0 / (total(squares) / weight.len() as f32 + epsilon).sqrt();
    let mut row = [0.0; BLOCK];
    for (b, weight) in weight.as_chunks::<BLOCK>().0.iter().enumerate() {
        let (low, high) = row.split_at_mut(ROWS);
        for (i, (half, weight)) in [low, high].into_iter().zip(weight.as_chunks::<ROWS>().0).enumerate() {
            for ((r, v), w) in half.iter_mut().zip(&tiles[(2 * b + i) * tokens + token]).zip(weight) {
                *r = v * factor * w;
            }
        }
        out[b * tokens + token] = V::of(&row);
    }
}

#[inline(always)]
pub fn gate<V: Value>(gate: &[f32], up: &[f32], out: &mut [V]) {
    let tokens = out.len();
    let (gate, up) = (gate.as_chunks::<ROWS>().0, up.as_chunks::<ROWS>().0);
    let mut row = [0.0; BLOCK];
    for (t, block) in out.iter_mut().enumerate() {
        let (low, high) = row.split_at_mut(ROWS);
        for (half, at) in [(low, t), (high, tokens + t)] {
            for ((r, g), u) in half.iter_mut().zip(&gate[at]).zip(&up[at]) {
                *r = g / (1.0 + exp(-g)) * u;
            }
        }
        *block = V::of(&row);
    }
}

#[inline(always)]
pub fn soften(scores: &mut [f32]) -> f32 {
    let most = {
        let mut lanes = [f32::MIN; LANES];
        let (whole, rest) = scores.as_chunks::<LANES>();
        for lane in whole {
            for (m, v) in lanes.iter_mut().zip(lane) {
                *m = if *v > *m { *v } else { *m };
            }
        }
        lanes.iter().chain(rest).fold(f32::MIN, |a, b| if *b > a { *b } else { a })
    };
    let mut sums = [0.0; LANES];
    let (whole, rest) = scores.as_chunks_mut::<LANES>();
    for lane in whole {
        for (s, v) in sums.iter_mut().zip(lane) {
            *v = exp(*v - most);
            *s += *v;
        }
    }
    let mut sum = total(sums);
    for v in rest {
        *v = exp(*v - most);
        sum += *v;
    }
    sum
}
