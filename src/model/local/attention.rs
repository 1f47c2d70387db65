//! Rotary positions, and attention of queries over the positions that were read.

use std::ops::Range;

use super::cache::Cache;
use super::kernels::{Into, Kernels, Value};
use super::packed::{BLOCK, ROWS};
use super::weights::Shape;

/// Queries that go over the cache together.
const TOGETHER: usize = 4;
/// The kernels read keys in steps of so many positions.
pub const STEP: usize = 16;

/// Cosine and sine for each position and pair: `[capacity][head / 2]`.
pub struct Rotation {
    angles: Vec<(f32, f32)>,
    pairs: usize,
}

impl Rotation {
    pub fn new(shape: &Shape) -> Self {
        Rotation { angles: Vec::new(), pairs: shape.head / 2 }
    }

    /// Makes the table long enough for so many positions.
    pub fn reach(&mut self, positions: usize, shape: &Shape) {
        for position in self.angles.len() / self.pairs..positions {
            self.angles.extend((0..self.pairs).map(|pair| {
                let frequency = shape.rope_base.powf(-2.0 * pair as f64 / shape.head as f64);
                let (sin, cos) = (position as f64 * frequency).sin_cos();
                (cos as f32, sin as f32)
            }));
        }
    }

    /// Turns the pairs (0,1), (2,3) ... of a head: GGUF stores llama weights in the order that wants neighbours paired.
    pub fn turn(&self, head: &mut [f32], position: usize) {
        let angles = &self.angles[position * self.pairs..(position + 1) * self.pairs];
        for ([a, b], (cos, sin)) in head.as_chunks_mut::<2>().0.iter_mut().zip(angles) {
            (*a, *b) = (*a * cos - *b * sin, *a * sin + *b * cos);
        }
    }
}

/// Working memory of one thread.
#[derive(Default)]
pub struct Scratch {
    queries: Vec<f32>,
    scores: Vec<f32>,
    out: Vec<f32>,
    /// Results of gates and ups before they meet.
    pub products: Vec<f32>,
}

/// Tokens of a pass that follow each other.
#[derive(Debug, Clone)]
pub struct Span {
    /// Their places in the pass.
    pub tokens: Range<usize>,
    /// The position of the first of them; each sees all positions before its own.
    pub first: usize,
    /// For a branch: how many positions are in the common cache (a multiple of 16), and where those from there on
    /// stand in the cache of the branches.
    pub own: Option<(usize, usize)>,
}

impl Span {
    /// The place of a token of the span in its cache.
    pub fn slot(&self, token: usize) -> usize {
        let position = self.position(token);
        self.own.map_or(position, |(common, base)| base + position - common)
    }

    /// The position of a token of the span in its text.
    pub fn position(&self, token: usize) -> usize {
        self.first + token - self.tokens.start
    }
}

/// Where queries come from and what they may see.
pub struct Queries<'a> {
    pub shape: &'a Shape,
    pub layer: usize,
    /// `[(width + 2 * kv_width) / 16][tokens][16]`
    pub qkv: &'a [f32],
    pub tokens: usize,
    pub spans: &'a [Span],
    /// Keys and values of the positions that are kept.
    pub kept: &'a Cache,
    /// Those of branches.
    pub branches: &'a Cache,
}

/// Reads one head of one token out of tile-major values.
pub fn gather(values: &[f32], tokens: usize, column: usize, token: usize, out: &mut [f32]) {
    for (i, out) in out.as_chunks_mut::<ROWS>().0.iter_mut().enumerate() {
        *out = values.as_chunks::<ROWS>().0[(column / ROWS + i) * tokens + token];
    }
}

/// Attention of heads `heads`, which share keys, for all tokens: `out` is `[heads * head / 32][tokens]`.
pub fn attend<V: Value>(
    kernels: &Kernels,
    rotation: &Rotation,
    queries: &Queries,
    heads: Range<usize>,
    scratch: &mut Scratch,
    out: &mut [V],
) {
    let Queries { shape, layer, qkv, tokens, .. } = *queries;
    let head = shape.head;
    let scale = 1.0 / (head as f32).sqrt();
    let kv_head = heads.start / (shape.heads / shape.kv_heads);
    let kept = (queries.kept.keys(layer, kv_head), queries.kept.values(layer, kv_head));
    scratch.queries.resize(TOGETHER * head, 0.0);
    scratch.out.resize(TOGETHER * head, 0.0);
    for span in queries.spans {
        let stride = (span.first + span.tokens.len()).next_multiple_of(STEP);
        scratch.scores.resize((TOGETHER * stride).max(scratch.scores.len()), 0.0);
        // Heads of one token first: they share keys and what they see.
        let all = span.tokens.len() * heads.len();
        for start in (0..all).step_by(TOGETHER) {
            let group = start..(start + TOGETHER).min(all);
            let token = |i: usize| span.tokens.start + i / heads.len();
            let n = group.len();
            for (i, query) in group.clone().zip(scratch.queries.chunks_exact_mut(head)) {
                gather(qkv, tokens, (heads.start + i % heads.len()) * head, token(i), query);
                rotation.turn(query, span.position(token(i)));
                query.iter_mut().for_each(|q| *q *= scale);
            }
            let longest = span.position(token(group.end - 1)) + 1;
            let asked = &scratch.queries[..n * head];
            let common = span.own.map_or(longest, |(common, _)| common);
            let own = span.own.map(|(common, base)| {
                let from = base * head;
                let keys = &queries.branches.keys(layer, kv_head)[from..];
                (keys, &queries.branches.values(layer, kv_head)[from..], longest - common)
            });
            if common > 0 {
                kernels.scores(asked, head, kept.0, common, &mut scratch.scores, stride);
            }
            if let Some((keys, _, len)) = own {
                kernels.scores(asked, head, keys, len, &mut scratch.scores[common..], stride);
            }
            let mut sums = [0.0; TOGETHER];
            for ((i, sum), scores) in group.clone().zip(&mut sums).zip(scratch.scores.chunks_exact_mut(stride)) {
                let (seen, unseen) = scores.split_at_mut(span.position(token(i)) + 1);
                *sum = kernels.soften(seen);
                let hidden = longest - seen.len();
                unseen[..hidden].fill(0.0);
            }
            let mixed = &mut scratch.out[..n * head];
            if common > 0 {
                kernels.mix(&scratch.scores, stride, kept.1, common, head, mixed, Into::Replace);
            }
            if let Some((_, values, len)) = own {
                let into = if common > 0 { Into::Add } else { Into::Replace };
                kernels.mix(&scratch.scores[common..], stride, values, len, head, mixed, into);
            }
            for ((i, sum), row) in group.zip(sums).zip(scratch.out.chunks_exact_mut(head)) {
                row.iter_mut().for_each(|v| *v /= sum);
                let block = i % heads.len() * head / BLOCK;
                for (b, values) in row.as_chunks::<BLOCK>().0.iter().enumerate() {
                    out[(block + b) * tokens + token(i)] = kernels.form(values);
                }
            }
        }
    }
}
