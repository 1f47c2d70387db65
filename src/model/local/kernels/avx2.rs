//! Kernels for AVX2, FMA and F16C.
//!
//! Integer products go through `maddubs` (unsigned times signed bytes, neighbours added, 16 bits). Numbers of 4 bits
//! leave room to add a whole block of 32 columns in 16 bits (`8 * 2 * 15 * 127 = 30480`), so the step to 32 bits is
//! paid once a block. Numbers of 8 bits are made unsigned by moving their sign to the other factor.

use std::arch::x86_64::*;

use super::{Block, Floats, Into, Value, elementwise};
use crate::model::local::packed::{BLOCK, Format, LINE, ROWS, Tile};

pub fn available() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") && is_x86_feature_detected!("f16c")
}

/// Sums of a tile for `N` tokens: two registers of eight rows each.
type Sums<const N: usize> = [[__m256; 2]; N];

#[target_feature(enable = "avx2,fma,f16c")]
pub fn multiply(tile: Tile, x: &[Block], tokens: usize, out: &mut [f32], into: Into) {
    let mut token = 0;
    while token < tokens {
        let piece = &mut out[token * ROWS..];
        match tokens - token {
            1 => some::<1>(tile, x, tokens, token, piece, into),
            2 => some::<2>(tile, x, tokens, token, piece, into),
            3 => some::<3>(tile, x, tokens, token, piece, into),
            _ => some::<4>(tile, x, tokens, token, piece, into),
        }
        token += 4;
    }
}

/// `N` tokens from `token` on.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn some<const N: usize>(tile: Tile, x: &[Block], tokens: usize, token: usize, out: &mut [f32], into: Into) {
    let out = out.as_chunks_mut::<ROWS>().0;
    let mut sums: Sums<N> = [[_mm256_setzero_ps(); 2]; N];
    if into == Into::Add {
        for (sums, out) in sums.iter_mut().zip(&*out) {
            *sums = [load(&out[..8]), load(&out[8..])];
        }
    }
    match tile.format {
        Format::Q4_1 => nibbles::<N, true>(tile, x, tokens, token, &mut sums),
        Format::Q4_0 => nibbles::<N, false>(tile, x, tokens, token, &mut sums),
        Format::Q8_0 => bytes::<N>(tile, x, tokens, token, &mut sums),
        Format::F16 => unreachable!("bytes do not meet halves"),
    }
    for (sums, out) in sums.iter().zip(out) {
        store(sums[0], &mut out[..8]);
        store(sums[1], &mut out[8..]);
    }
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn nibbles<const N: usize, const MINIMUM: bool>(
    tile: Tile,
    x: &[Block],
    tokens: usize,
    token: usize,
    sums: &mut Sums<N>,
) {
    let size = const { if MINIMUM { Format::Q4_1.scale_bytes() } else { Format::Q4_0.scale_bytes() } };
    let low = _mm256_set1_epi8(15);
    let ones = _mm256_set1_epi16(1);
    let blocks = tile.scales.chunks_exact(size).zip(tile.numbers.as_chunks::<{ 4 * LINE }>().0);
    for ((scales, numbers), x) in blocks.zip(x.chunks_exact(tokens)) {
        let x: &[Block; N] = x[token..].first_chunk().expect("as many tokens as the caller counted");
        let mut dots = [[_mm256_setzero_si256(); 2]; N];
        for g in 0..4 {
            let packed = [integers(&numbers[g * LINE..]), integers(&numbers[g * LINE + 32..])];
            let weights = packed.map(|p| _mm256_and_si256(p, low));
            for (dots, x) in dots.iter_mut().zip(x) {
                let x = _mm256_set1_epi32(x.quad(g));
                dots[0] = _mm256_add_epi16(dots[0], _mm256_maddubs_epi16(weights[0], x));
                dots[1] = _mm256_add_epi16(dots[1], _mm256_maddubs_epi16(weights[1], x));
            }
            let weights = packed.map(|p| _mm256_and_si256(_mm256_srli_epi16::<4>(p), low));
            for (dots, x) in dots.iter_mut().zip(x) {
                let x = _mm256_set1_epi32(x.quad(g + 4));
                dots[0] = _mm256_add_epi16(dots[0], _mm256_maddubs_epi16(weights[0], x));
                dots[1] = _mm256_add_epi16(dots[1], _mm256_maddubs_epi16(weights[1], x));
            }
        }
        let factors = [halves(scales), halves(&scales[16..])];
        let minima = if MINIMUM {
            [halves(&scales[32..]), halves(&scales[48..])]
        } else {
            factors.map(|f| _mm256_mul_ps(f, _mm256_set1_ps(-8.0)))
        };
        for ((sums, dots), x) in sums.iter_mut().zip(&dots).zip(x) {
            let (scale, sum) = (_mm256_set1_ps(x.scale), _mm256_set1_ps(x.sum));
            for i in 0..2 {
                let dot = _mm256_cvtepi32_ps(_mm256_madd_epi16(dots[i], ones));
                sums[i] = _mm256_fmadd_ps(dot, _mm256_mul_ps(factors[i], scale), sums[i]);
                sums[i] = _mm256_fmadd_ps(minima[i], sum, sums[i]);
            }
        }
    }
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn bytes<const N: usize>(tile: Tile, x: &[Block], tokens: usize, token: usize, sums: &mut Sums<N>) {
    let ones = _mm256_set1_epi16(1);
    let size = const { Format::Q8_0.scale_bytes() };
    let blocks = tile.scales.chunks_exact(size).zip(tile.numbers.as_chunks::<{ 8 * LINE }>().0);
    for ((scales, numbers), x) in blocks.zip(x.chunks_exact(tokens)) {
        let x: &[Block; N] = x[token..].first_chunk().expect("as many tokens as the caller counted");
        let mut dots = [[_mm256_setzero_si256(); 2]; N];
        for g in 0..8 {
            let weights = [integers(&numbers[g * LINE..]), integers(&numbers[g * LINE + 32..])];
            let sizes = weights.map(|w| _mm256_abs_epi8(w));
            for (dots, x) in dots.iter_mut().zip(x) {
                let x = _mm256_set1_epi32(x.quad(g));
                for i in 0..2 {
                    let pairs = _mm256_maddubs_epi16(sizes[i], _mm256_sign_epi8(x, weights[i]));
                    dots[i] = _mm256_add_epi32(dots[i], _mm256_madd_epi16(pairs, ones));
                }
            }
        }
        let factors = [halves(scales), halves(&scales[16..])];
        for ((sums, dots), x) in sums.iter_mut().zip(&dots).zip(x) {
            let scale = _mm256_set1_ps(x.scale);
            for i in 0..2 {
                sums[i] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(dots[i]), _mm256_mul_ps(factors[i], scale), sums[i]);
            }
        }
    }
}

#[target_feature(enable = "avx2,fma,f16c")]
pub fn multiply_floats(tile: Tile, x: &[Floats], tokens: usize, out: &mut [f32], into: Into) {
    let mut token = 0;
    while token < tokens {
        let piece = &mut out[token * ROWS..];
        match tokens - token {
            1 => some_floats::<1>(tile, x, tokens, token, piece, into),
            2 => some_floats::<2>(tile, x, tokens, token, piece, into),
            3 => some_floats::<3>(tile, x, tokens, token, piece, into),
            _ => some_floats::<4>(tile, x, tokens, token, piece, into),
        }
        token += 4;
    }
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn some_floats<const N: usize>(tile: Tile, x: &[Floats], tokens: usize, token: usize, out: &mut [f32], into: Into) {
    let out = out.as_chunks_mut::<ROWS>().0;
    let mut sums: Sums<N> = [[_mm256_setzero_ps(); 2]; N];
    if into == Into::Add {
        for (sums, out) in sums.iter_mut().zip(&*out) {
            *sums = [load(&out[..8]), load(&out[8..])];
        }
    }
    let blocks = tile.numbers.as_chunks::<{ Format::F16.number_bytes() }>().0;
    for (numbers, x) in blocks.iter().zip(x.chunks_exact(tokens)) {
        let x: &[Floats; N] = x[token..].first_chunk().expect("as many tokens as the caller counted");
        for (c, column) in numbers.as_chunks::<{ 2 * ROWS }>().0.iter().enumerate() {
            let weights = [halves(column), halves(&column[ROWS..])];
            for (sums, x) in sums.iter_mut().zip(x) {
                let value = _mm256_set1_ps(x.0[c]);
                sums[0] = _mm256_fmadd_ps(weights[0], value, sums[0]);
                sums[1] = _mm256_fmadd_ps(weights[1], value, sums[1]);
            }
        }
    }
    for (sums, out) in sums.iter().zip(out) {
        store(sums[0], &mut out[..8]);
        store(sums[1], &mut out[8..]);
    }
}

#[target_feature(enable = "avx2,fma,f16c")]
pub fn scores(queries: &[f32], head: usize, keys: &[u16], padded: usize, out: &mut [f32], stride: usize) {
    match queries.len() / head {
        1 => some_scores::<1>(queries, head, keys, padded, out, stride),
        2 => some_scores::<2>(queries, head, keys, padded, out, stride),
        3 => some_scores::<3>(queries, head, keys, padded, out, stride),
        _ => some_scores::<4>(queries, head, keys, padded, out, stride),
    }
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn some_scores<const N: usize>(
    queries: &[f32],
    head: usize,
    keys: &[u16],
    padded: usize,
    out: &mut [f32],
    stride: usize,
) {
    let query: [&[f32]; N] = std::array::from_fn(|n| &queries[n * head..(n + 1) * head]);
    for (b, keys) in keys.chunks_exact(16 * head).enumerate().take(padded / 16) {
        let (first, second) = keys.split_at(8 * head);
        let mut sums: Sums<N> = [[_mm256_setzero_ps(); 2]; N];
        for (d, (first, second)) in first.as_chunks::<8>().0.iter().zip(second.as_chunks::<8>().0).enumerate() {
            let keys = [half_numbers(first), half_numbers(second)];
            for (sums, query) in sums.iter_mut().zip(&query) {
                let q = _mm256_set1_ps(query[d]);
                sums[0] = _mm256_fmadd_ps(q, keys[0], sums[0]);
                sums[1] = _mm256_fmadd_ps(q, keys[1], sums[1]);
            }
        }
        for (n, sums) in sums.iter().enumerate() {
            let out = &mut out[n * stride + b * 16..][..16];
            store(sums[0], &mut out[..8]);
            store(sums[1], &mut out[8..]);
        }
    }
}

#[target_feature(enable = "avx2,fma,f16c")]
pub fn mix(weights: &[f32], stride: usize, values: &[u16], len: usize, head: usize, out: &mut [f32], into: Into) {
    match out.len() / head {
        1 => some_mix::<1>(weights, stride, values, len, head, out, into),
        2 => some_mix::<2>(weights, stride, values, len, head, out, into),
        3 => some_mix::<3>(weights, stride, values, len, head, out, into),
        _ => some_mix::<4>(weights, stride, values, len, head, out, into),
    }
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn some_mix<const N: usize>(
    weights: &[f32],
    stride: usize,
    values: &[u16],
    len: usize,
    head: usize,
    out: &mut [f32],
    into: Into,
) {
    let weight: [&[f32]; N] = std::array::from_fn(|n| &weights[n * stride..][..len]);
    for column in (0..head).step_by(16) {
        let mut sums: Sums<N> = [[_mm256_setzero_ps(); 2]; N];
        if into == Into::Add {
            for (n, sums) in sums.iter_mut().enumerate() {
                let out = &out[n * head + column..][..16];
                *sums = [load(&out[..8]), load(&out[8..])];
            }
        }
        for (p, row) in values.chunks_exact(head).enumerate().take(len) {
            let row: &[u16; 16] = row[column..].first_chunk().expect("a head is a multiple of 16 wide");
            let (first, second) = row.as_chunks::<8>().0.split_at(1);
            let values = [half_numbers(&first[0]), half_numbers(&second[0])];
            for (sums, weight) in sums.iter_mut().zip(&weight) {
                let w = _mm256_set1_ps(weight[p]);
                sums[0] = _mm256_fmadd_ps(w, values[0], sums[0]);
                sums[1] = _mm256_fmadd_ps(w, values[1], sums[1]);
            }
        }
        for (n, sums) in sums.iter().enumerate() {
            let out = &mut out[n * head + column..][..16];
            store(sums[0], &mut out[..8]);
            store(sums[1], &mut out[8..]);
        }
    }
}

#[target_feature(enable = "avx2,fma,f16c")]
pub fn halve(values: &[f32], out: &mut [u16]) {
    let whole = values.len() / 8 * 8;
    for (eight, out) in values.as_chunks::<8>().0.iter().zip(out.as_chunks_mut::<8>().0) {
        let halves = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(load(eight));
        // SAFETY: the place is 16 bytes long; the instruction asks for no alignment.
        unsafe { _mm_storeu_si128(out.as_mut_ptr().cast(), halves) };
    }
    super::portable::halve(&values[whole..], &mut out[whole..]);
}

#[target_feature(enable = "avx2,fma,f16c")]
pub fn normalise<V: Value>(x: &[f32], token: usize, tokens: usize, weight: &[f32], epsilon: f32, out: &mut [V]) {
    elementwise::normalise(x, token, tokens, weight, epsilon, out);
}

#[target_feature(enable = "avx2,fma,f16c")]
pub fn gate<V: Value>(gate: &[f32], up: &[f32], out: &mut [V]) {
    elementwise::gate(gate, up, out);
}

#[target_feature(enable = "avx2,fma,f16c")]
pub fn form<V: Value>(values: &[f32; BLOCK]) -> V {
    V::of(values)
}

#[target_feature(enable = "avx2,fma,f16c")]
pub fn soften(scores: &mut [f32]) -> f32 {
    elementwise::soften(scores)
}

/// The first eight floats.
#[inline]
#[target_feature(enable = "avx2")]
fn load(values: &[f32]) -> __m256 {
    let eight: &[f32; 8] = values.first_chunk().expect("eight values");
    // SAFETY: eight floats are there; the instruction asks for no alignment.
    unsafe { _mm256_loadu_ps(eight.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(values: __m256, out: &mut [f32]) {
    let eight: &mut [f32; 8] = out.first_chunk_mut().expect("eight values");
    // SAFETY: eight floats are there; the instruction asks for no alignment.
    unsafe { _mm256_storeu_ps(eight.as_mut_ptr(), values) };
}

/// The first 32 bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn integers(bytes: &[u8]) -> __m256i {
    let bytes: &[u8; 32] = bytes.first_chunk().expect("32 bytes");
    // SAFETY: 32 bytes are there; the instruction asks for no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// The first eight half-precision numbers of 16 bytes.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn halves(bytes: &[u8]) -> __m256 {
    let bytes: &[u8; 16] = bytes.first_chunk().expect("16 bytes");
    // SAFETY: 16 bytes are there; the instruction asks for no alignment.
    _mm256_cvtph_ps(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn half_numbers(numbers: &[u16; 8]) -> __m256 {
    // SAFETY: eight numbers of two bytes are there; the instruction asks for no alignment.
    _mm256_cvtph_ps(unsafe { _mm_loadu_si128(numbers.as_ptr().cast()) })
}
