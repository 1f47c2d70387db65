//! The arithmetic, chosen at run time.
//!
//! Values of several tokens are kept **tile-major**: `[width / 16][tokens][16]`, what products are made of
//! **block-major**: `[width / 32][tokens]` of [`Block`] (bytes) or [`Floats`]. A tile of weights then meets all tokens in one contiguous piece, its results
//! are one contiguous piece, and work is shared out by cutting slices.
//!
//! Every method of [`Kernels`] checks the lengths it is given, so the kernels themselves may rely on them.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod elementwise;
mod portable;
#[cfg(target_arch = "x86_64")]
mod sse2;

use super::packed::{BLOCK, Format, ROWS, Tile};

/// Calls the implementation of a level.
macro_rules! by_level {
    ($level:expr, $name:ident ( $($argument:expr),* )) => {
        match $level {
            Level::Portable => portable::$name($($argument),*),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Avx2` is chosen only after the machine said that it has the features (`Kernels::at`).
            Level::Avx2 => unsafe { avx2::$name($($argument),*) },
        }
    };
}

/// 32 values of one token as bytes: `value = scale * byte`, rounded to nearest.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct Block {
    pub scale: f32,
    /// Sum of the values that the bytes stand for; meets the minimum of Q4_1 and the offset of Q4_0.
    pub sum: f32,
    /// Never -128, so that products of two neighbours fit 16 bits.
    pub bytes: [i8; BLOCK],
}

impl Block {
    /// Four neighbouring bytes as one number, for a broadcast.
    #[inline(always)]
    fn quad(&self, i: usize) -> i32 {
        let b = &self.bytes;
        i32::from_le_bytes([b[4 * i] as u8, b[4 * i + 1] as u8, b[4 * i + 2] as u8, b[4 * i + 3] as u8])
    }
}

/// 32 values of one token as they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Floats(pub [f32; BLOCK]);

/// 32 values of one token in the form in which they meet weights.
pub trait Value: Copy + Send + Sync {
    const ZERO: Self;

    /// Whether such values meet weights of this format.
    fn meets(format: Format) -> bool;

    /// The form of these values.
    fn of(values: &[f32; BLOCK]) -> Self;

    /// [`Kernels::multiply`] with checked lengths.
    fn multiply(kernels: &Kernels, tile: Tile, x: &[Self], tokens: usize, out: &mut [f32], into: Into);
}

impl Value for Block {
    const ZERO: Block = Block { scale: 0.0, sum: 0.0, bytes: [0; BLOCK] };

    fn meets(format: Format) -> bool {
        format != Format::F16
    }

    #[inline(always)]
    fn of(values: &[f32; BLOCK]) -> Self {
        elementwise::quantise(values)
    }

    fn multiply(kernels: &Kernels, tile: Tile, x: &[Self], tokens: usize, out: &mut [f32], into: Into) {
        by_level!(kernels.level, multiply(tile, x, tokens, out, into));
    }
}

impl Value for Floats {
    const ZERO: Floats = Floats([0.0; BLOCK]);

    fn meets(format: Format) -> bool {
        format == Format::F16
    }

    #[inline(always)]
    fn of(values: &[f32; BLOCK]) -> Self {
        Floats(*values)
    }

    fn multiply(kernels: &Kernels, tile: Tile, x: &[Self], tokens: usize, out: &mut [f32], into: Into) {
        by_level!(kernels.level, multiply_floats(tile, x, tokens, out, into));
    }
}

/// Which instructions are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Level {
    /// What every machine has: plain loops, on x86-64 with SSE2 in the products.
    Portable,
    /// AVX2, FMA and F16C (Intel since 2013, AMD since 2015).
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Level {
    /// Its name for tables and messages.
    pub fn name(self) -> &'static str {
        match self {
            Level::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "avx2",
        }
    }

    fn runs_here(self) -> bool {
        match self {
            Level::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => avx2::available(),
        }
    }

    /// What this machine can do, best last.
    pub fn available() -> Vec<Level> {
        vec![
            Level::Portable,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2,
        ]
        .into_iter()
        .filter(|level| level.runs_here())
        .collect()
    }
}

/// Whether results are added to what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Into {
    Replace,
    Add,
}

/// A set of kernels that this machine can run.
#[derive(Debug, Clone, Copy)]
pub struct Kernels {
    /// Private: a level other than `Portable` is only set after the machine was asked.
    level: Level,
}

impl Kernels {
    /// The best for this machine.
    pub fn best() -> Self {
        Kernels { level: Level::available().last().copied().unwrap_or(Level::Portable) }
    }

    /// A certain level, if this machine has it.
    pub fn at(level: Level) -> Option<Self> {
        Level::available().contains(&level).then_some(Kernels { level })
    }

    /// Which they are.
    pub fn level(&self) -> Level {
        self.level
    }

    /// One tile times the values of all tokens.
    ///
    /// `x`: `[columns / 32][tokens]`; `out`: `[tokens][16]`.
    pub fn multiply<V: Value>(&self, tile: Tile, x: &[V], tokens: usize, out: &mut [f32], into: Into) {
        let blocks = tile.numbers.len() / tile.format.number_bytes();
        assert!(V::meets(tile.format) && tokens > 0);
        assert_eq!(x.len(), blocks * tokens);
        assert_eq!(tile.numbers.len(), blocks * tile.format.number_bytes());
        assert_eq!(tile.scales.len(), blocks * tile.format.scale_bytes());
        assert_eq!(out.len(), tokens * ROWS);
        V::multiply(self, tile, x, tokens, out, into);
    }

    /// Root-mean-square normalisation of one of the tokens.
    ///
    /// `x`: `[width / 16][tokens][16]`; `weight`: `[width]`; `out`: `[width / 32][tokens]`.
    pub fn normalise<V: Value>(
        &self,
        x: &[f32],
        token: usize,
        tokens: usize,
        weight: &[f32],
        epsilon: f32,
        out: &mut [V],
    ) {
        assert!(token < tokens && weight.len().is_multiple_of(BLOCK));
        assert_eq!(x.len(), weight.len() * tokens);
        assert_eq!(out.len() * BLOCK, weight.len() * tokens);
        by_level!(self.level, normalise(x, token, tokens, weight, epsilon, out));
    }

    /// `silu(gate) * up` of 32 columns: `gate`, `up`: `[2][tokens][16]`; `out`: `[tokens]`.
    pub fn gate<V: Value>(&self, gate: &[f32], up: &[f32], out: &mut [V]) {
        assert!(gate.len() == out.len() * BLOCK && up.len() == gate.len());
        by_level!(self.level, gate(gate, up, out));
    }

    /// Brings 32 values into their form.
    pub fn form<V: Value>(&self, values: &[f32; BLOCK]) -> V {
        by_level!(self.level, form(values))
    }

    /// Single to half precision, rounded to nearest even.
    pub fn halve(&self, values: &[f32], out: &mut [u16]) {
        assert_eq!(values.len(), out.len());
        by_level!(self.level, halve(values, out));
    }

    /// Products of up to four queries with `len` keys (rounded up to 16 positions).
    ///
    /// `queries`: `[n][head]`; `keys`: `[positions / 8][head][8]` halves; `out`: `[n][stride]`.
    pub fn scores(&self, queries: &[f32], head: usize, keys: &[u16], len: usize, out: &mut [f32], stride: usize) {
        let n = queries.len() / head;
        let padded = len.next_multiple_of(16);
        assert!((1..=4).contains(&n) && queries.len() == n * head);
        assert!(keys.len() >= padded * head && stride >= padded && out.len() >= (n - 1) * stride + padded);
        by_level!(self.level, scores(queries, head, keys, padded, out, stride));
    }

    /// Turns scores into `exp(score - most)` in place and gives their sum.
    pub fn soften(&self, scores: &mut [f32]) -> f32 {
        by_level!(self.level, soften(scores))
    }

    /// Sums of `len` values under the weights of up to four queries.
    ///
    /// `weights`: `[n][stride]`; `values`: `[positions][head]` halves; `out`: `[n][head]`.
    #[allow(clippy::too_many_arguments)]
    pub fn mix(
        &self,
        weights: &[f32],
        stride: usize,
        values: &[u16],
        len: usize,
        head: usize,
        out: &mut [f32],
        into: Into,
    ) {
        let n = out.len() / head;
        assert!((1..=4).contains(&n) && out.len() == n * head && head.is_multiple_of(16));
        assert!(values.len() >= len * head && stride >= len && weights.len() >= (n - 1) * stride + len);
        by_level!(self.level, mix(weights, stride, values, len, head, out, into));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::local::packed::tests::{KINDS, Noise, packed, random_bytes};
    use crate::model::local::tensor_type::{TensorType, half_to_f32};

    fn levels() -> Vec<Kernels> {
        Level::available().into_iter().map(|l| Kernels::at(l).unwrap()).collect()
    }

    fn floats(n: usize, seed: u64) -> Vec<f32> {
        let mut noise = Noise(seed);
        (0..n).map(|_| noise.float() * 3.0).collect()
    }

    fn close(got: &[f32], wanted: &[f64], tolerance: f64) {
        assert_eq!(got.len(), wanted.len());
        for (i, (g, w)) in got.iter().zip(wanted).enumerate() {
            assert!((f64::from(*g) - w).abs() <= tolerance * (1.0 + w.abs()), "{i}: {g} instead of {w}");
        }
    }

    #[test]
    fn a_product_is_the_naive_sum_over_what_the_bytes_stand_for() {
        for (kind, columns) in KINDS.into_iter().flat_map(|k| [(k, 64), (k, 576)]) {
            let data = random_bytes(kind, 16, columns, 3);
            let packed = packed(kind, 16, columns, &data, false);
            let mut weights = vec![0.0; 16 * columns];
            kind.decode(&data, &mut weights).unwrap();
            for (kernels, tokens) in levels().into_iter().flat_map(|k| [1, 2, 3, 4, 5, 9].map(|t| (k, t))) {
                let values = floats(columns * tokens, 9);
                let x: Vec<Block> = values.as_chunks().0.iter().map(|v| kernels.form(v)).collect();
                let mut out = vec![1.0; tokens * 16];
                kernels.multiply(packed.tile(0), &x, tokens, &mut out, Into::Add);
                let wanted: Vec<f64> = (0..tokens * 16)
                    .map(|i| {
                        let (t, r) = (i / 16, i % 16);
                        let value = |c: usize| {
                            let block = &x[c / 32 * tokens + t];
                            f64::from(block.scale) * f64::from(block.bytes[c % 32])
                        };
                        1.0 + (0..columns).map(|c| f64::from(weights[r * columns + c]) * value(c)).sum::<f64>()
                    })
                    .collect();
                close(&out, &wanted, 1e-4);
            }
        }
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        let kind = TensorType::Q8_0;
        for (weight, value) in [(0x80, 127), (0x80, -127), (0x7f, 127), (0x7f, -127)] {
            let mut data = vec![weight; 16 * 34];
            for block in data.chunks_exact_mut(34) {
                block[..2].copy_from_slice(&0x3c00u16.to_le_bytes());
            }
            let packed = packed(kind, 16, 32, &data, false);
            let x = [Block { scale: 1.0, sum: 0.0, bytes: [value; 32] }];
            for kernels in levels() {
                let mut out = [0.0; 16];
                kernels.multiply(packed.tile(0), &x, 1, &mut out, Into::Replace);
                assert_eq!(out, [32.0 * f32::from(weight as i8) * f32::from(value); 16]);
            }
        }
    }

    #[test]
    fn quantising_is_the_same_on_every_level_and_close() {
        let values = floats(32 * 50, 4);
        let form = |kernels: &Kernels| -> Vec<Block> { values.as_chunks().0.iter().map(|v| kernels.form(v)).collect() };
        let wanted = form(&levels()[0]);
        for kernels in levels() {
            assert_eq!(form(&kernels), wanted);
        }
        for (block, values) in wanted.iter().zip(values.chunks_exact(32)) {
            for (b, v) in block.bytes.iter().zip(values) {
                assert!((block.scale * f32::from(*b) - v).abs() <= block.scale * 0.5001);
            }
        }
        assert_eq!(levels()[0].form::<Block>(&[0.0; 32]), Block::ZERO);
    }

    #[test]
    fn normalisation_and_gate_agree_with_their_definitions() {
        let (width, tokens) = (64, 3);
        let (x, weight) = (floats(width * tokens, 1), floats(width, 2));
        let (gate, up) = (floats(32 * tokens, 5), floats(32 * tokens, 6));
        for kernels in levels() {
            let mut out = vec![Block::ZERO; width / 32 * tokens];
            for t in 0..tokens {
                kernels.normalise(&x, t, tokens, &weight, 1e-5, &mut out);
                let at = |c: usize| f64::from(x[(c / 16 * tokens + t) * 16 + c % 16]);
                let mean = (0..width).map(|c| at(c) * at(c)).sum::<f64>() / width as f64;
                for c in 0..width {
                    let block = &out[c / 32 * tokens + t];
                    let got = f64::from(block.scale) * f64::from(block.bytes[c % 32]);
                    let wanted = at(c) / (mean + 1e-5).sqrt() * f64::from(weight[c]);
                    assert!((got - wanted).abs() <= f64::from(block.scale) * 0.501, "{got} {wanted}");
                }
            }
            let mut out = vec![Block::ZERO; tokens];
            kernels.gate(&gate, &up, &mut out);
            for (t, block) in out.iter().enumerate() {
                for c in 0..32 {
                    let i = (c / 16 * tokens + t) * 16 + c % 16;
                    let (g, u) = (f64::from(gate[i]), f64::from(up[i]));
                    let got = f64::from(block.scale) * f64::from(block.bytes[c]);
                    assert!((got - g / (1.0 + (-g).exp()) * u).abs() <= f64::from(block.scale) * 0.501);
                }
            }
        }
    }

    #[test]
    fn halves_are_rounded_to_the_nearest() {
        let mut values = floats(200, 8);
        values.extend([0.0, -0.0, 65504.0, 65520.0, 1e9, -1e9, 6e-8, 2e-8, 6.1e-5, 1.0009765, f32::INFINITY]);
        let mut wanted = vec![0; values.len()];
        levels()[0].halve(&values, &mut wanted);
        for kernels in levels() {
            let mut got = vec![0; values.len()];
            kernels.halve(&values, &mut got);
            assert_eq!(got, wanted);
        }
        for (half, value) in wanted.iter().zip(&values).take(200) {
            assert!((half_to_f32(*half) - value).abs() <= value.abs() / 2048.0 + 3e-8);
        }
    }

    #[test]
    fn attention_agrees_with_its_definition() {
        let head = 64;
        for (len, n) in [(1usize, 1), (5, 3), (16, 4), (37, 2)] {
            let padded = len.next_multiple_of(16);
            let queries = floats(n * head, 1);
            let (keys, values) = (floats(padded * head, 2), floats(padded * head, 3));
            let mut halves = vec![0; padded * head];
            let mut blocked = vec![0.0; padded * head];
            for p in 0..padded {
                for d in 0..head {
                    blocked[(p / 8 * head + d) * 8 + p % 8] = keys[p * head + d];
                }
            }
            for kernels in levels() {
                kernels.halve(&blocked, &mut halves);
                let mut scores = vec![0.0; n * padded];
                kernels.scores(&queries, head, &halves, len, &mut scores, padded);
                let dot = |i: usize, p: usize| -> f64 {
                    (0..head).map(|d| f64::from(queries[i * head + d]) * f64::from(keys[p * head + d])).sum()
                };
                let wanted: Vec<f64> = (0..n * padded).map(|i| dot(i / padded, i % padded)).collect();
                close(&scores, &wanted, 0.05);

                let mut weights = floats(n * padded, 4);
                let row: Vec<f64> = weights[..len].iter().map(|v| f64::from(*v)).collect();
                let most = row.iter().copied().fold(f64::MIN, f64::max);
                let sum = kernels.soften(&mut weights[..len]);
                close(&weights[..len], &row.iter().map(|v| (v - most).exp()).collect::<Vec<_>>(), 1e-6);
                close(&[sum], &[row.iter().map(|v| (v - most).exp()).sum()], 1e-5);

                kernels.halve(&values, &mut halves);
                let mut out = vec![7.0; n * head];
                kernels.mix(&weights, padded, &halves, len, head, &mut out, Into::Replace);
                let wanted: Vec<f64> = (0..n * head)
                    .map(|i| {
                        let (q, d) = (i / head, i % head);
                        (0..len).map(|p| f64::from(weights[q * padded + p]) * f64::from(values[p * head + d])).sum()
                    })
                    .collect();
                close(&out, &wanted, 0.01);
                kernels.mix(&weights, padded, &halves, len, head, &mut out, Into::Add);
                close(&out, &wanted.iter().map(|v| 2.0 * v).collect::<Vec<_>>(), 0.02);
            }
        }
    }

    #[test]
    fn a_product_of_halves_is_the_naive_sum() {
        let columns = 96;
        let data = random_bytes(TensorType::F16, 16, columns, 3);
        let packed = packed(TensorType::F16, 16, columns, &data, true);
        let mut weights = vec![0.0; 16 * columns];
        TensorType::F16.decode(&data, &mut weights).unwrap();
        for (kernels, tokens) in levels().into_iter().flat_map(|k| [1, 2, 3, 4, 7].map(|t| (k, t))) {
            let values = floats(columns * tokens, 9);
            let x: Vec<Floats> = values.as_chunks().0.iter().map(|v| kernels.form(v)).collect();
            let mut out = vec![1.0; tokens * 16];
            kernels.multiply(packed.tile(0), &x, tokens, &mut out, Into::Add);
            let value = |t: usize, c: usize| f64::from(x[c / 32 * tokens + t].0[c % 32]);
            let product = |t: usize, r: usize| -> f64 {
                (0..columns).map(|c| f64::from(weights[r * columns + c]) * value(t, c)).sum()
            };
            let wanted: Vec<f64> = (0..tokens * 16).map(|i| 1.0 + product(i / 16, i % 16)).collect();
            close(&out, &wanted, 1e-5);
        }
    }
}
