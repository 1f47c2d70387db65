//! The forward pass of a llama model, its key/value cache, and likelihoods of tokens.
//!
//! The residual stream of a pass is tile-major (see [`super::kernels`]); a layer is five shared jobs: queries, keys and
//! values; attention; its output added to the stream; gate and up with their product; and down added to the stream.
//! What lies between is done by the caller alone. The cache keeps one row of positions; several continuations of them
//! can be computed in one pass, each seeing the kept positions and itself only, which is how options are scored
//! without computing their common beginning again.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::attention::{Queries, Rotation, STEP, Scratch, Span, attend, gather};
use super::cache::Cache;
use super::kernels::{Block, Floats, Into, Kernels, Value};
use super::packed::{BLOCK, Packed, ROWS};
use super::weights::{Shape, Weights};
use crate::model::{ModelError, Result};

/// Tokens that go through the network at once: their values stay in the second-level cache.
pub const PASS: usize = 64;
/// Rows of logits computed at once.
const LOGIT_ROWS: usize = 16;
/// Most positions that are kept; the memory is reserved at once and used as they come.
const MOST_POSITIONS: usize = 8192;
/// Tiles of the head that one thread takes.
const HEAD_TILES: usize = 16;
/// From so many tokens on attention is shared out by head, below by group of heads that share keys.
const BY_HEAD: usize = 4;

/// Which tokens may follow.
pub type Allowed<'a> = &'a (dyn Fn(u32) -> bool + Sync);

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// A model ready to run.
pub struct Network {
    shape: Shape,
    weights: Weights,
    pub kernels: Kernels,
    cache: Cache,
    /// Keys and values of continuations while they are scored.
    branches: Cache,
    /// The tokens whose keys and values are in the cache.
    kept: Vec<u32>,
    rotation: Rotation,
    /// The stream of the last pass: `[width / 16][tokens][16]`.
    x: Vec<f32>,
    tempo: Tempo,
    /// Passes through the network so far.
    pub passes: usize,
    /// Tokens that went through the network so far.
    pub tokens: usize,
}

impl Network {
    pub fn new(shape: Shape, weights: Weights) -> Self {
        Network {
            cache: Cache::new(&shape, shape.context.min(MOST_POSITIONS)),
            branches: Cache::new(&shape, 0),
            rotation: Rotation::new(&shape),
            kernels: Kernels::best(),
            kept: Vec::new(),
            x: Vec::new(),
            tempo: Tempo::default(),
            passes: 0,
            tokens: 0,
            shape,
            weights,
        }
    }

    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Forgets the kept positions.
    pub fn forget(&mut self) {
        self.kept.clear();
    }

    /// Makes the cache hold exactly `tokens`, computing only what differs from what it holds already.
    pub fn keep(&mut self, tokens: &[u32], stop: &AtomicBool) -> Result<()> {
        let common = self.kept.iter().zip(tokens).take_while(|(a, b)| a == b).count();
        self.kept.truncate(common);
        self.read(&tokens[common..], stop)
    }

    /// Reads tokens after the kept ones.
    fn read(&mut self, tokens: &[u32], stop: &AtomicBool) -> Result<()> {
        let positions = self.kept.len() + tokens.len();
        self.check_room(positions)?;
        self.rotation.reach(positions, &self.shape);
        for piece in tokens.chunks(PASS) {
            self.pass(piece, &[Span { tokens: 0..piece.len(), first: self.kept.len(), own: None }], stop)?;
            self.kept.extend_from_slice(piece);
        }
        Ok(())
    }

    /// Appends tokens to the kept ones and returns the logits after the last; those of tokens that may not follow are
    /// negative infinity where that saves work.
    pub fn next(&mut self, tokens: &[u32], allowed: Option<Allowed>, stop: &AtomicBool) -> Result<Vec<f32>> {
        if tokens.is_empty() {
            return Err(ModelError::Run("no token to continue from".into()));
        }
        self.read(tokens, stop)?;
        self.logits((tokens.len() - 1) % PASS + 1, allowed)
    }

    /// The logits after the whole of `tokens`, reusing what is kept; see [`Network::next`].
    pub fn logits_after(&mut self, tokens: &[u32], allowed: Option<Allowed>, stop: &AtomicBool) -> Result<Vec<f32>> {
        let Some((_, before)) = tokens.split_last() else {
            return Err(ModelError::Run("no token to continue from".into()));
        };
        // The last token is always computed anew: what it leads to is not in the cache.
        let common = self.kept.iter().zip(before).take_while(|(a, b)| a == b).count();
        self.kept.truncate(common);
        self.next(&tokens[common..], allowed, stop)
    }

    /// For each sequence, to be read after the kept tokens, the log probability of every token from the given one
    /// on (at least the second, so that there is one to predict it from). The kept tokens stay.
    pub fn score(&mut self, sequences: &[(Vec<u32>, usize)], stop: &AtomicBool) -> Result<Vec<Vec<f32>>> {
        if let Some((tokens, _)) = sequences.iter().find(|(tokens, from)| *from == 0 || *from >= tokens.len()) {
            return Err(ModelError::Run(format!("a text of {} tokens cannot be scored", tokens.len())));
        }
        let positions = self.kept.len() + sequences.iter().map(|(tokens, _)| tokens.len()).max().unwrap_or(0);
        self.check_room(positions)?;
        self.rotation.reach(positions, &self.shape);
        let mut logs = Vec::with_capacity(sequences.len());
        for group in groups(sequences) {
            logs.extend(self.score_group(group, stop)?);
        }
        Ok(logs)
    }

    /// Scores sequences that go through the network together.
    fn score_group(&mut self, group: &[(Vec<u32>, usize)], stop: &AtomicBool) -> Result<Vec<Vec<f32>>> {
        // The kernels read keys from multiples of `STEP` on, so what the kept positions have beyond one is repeated
        // before every continuation.
        let (kept, common) = (self.kept.len(), self.kept.len() / STEP * STEP);
        let mut spans = Vec::with_capacity(group.len());
        let mut read = Vec::new();
        let mut base = 0;
        for (tokens, _) in group {
            let start = read.len();
            read.extend_from_slice(inputs(tokens));
            spans.push(Span { tokens: start..read.len(), first: kept, own: Some((common, base)) });
            base += (kept - common + tokens.len()).next_multiple_of(STEP);
        }
        if self.branches.capacity() < base {
            self.branches = Cache::new(&self.shape, base);
        }
        if kept > common {
            for (_, base) in spans.iter().filter_map(|span| span.own) {
                self.branches.copy(&self.cache, common, kept, base);
            }
        }
        self.pass(&read, &spans, stop)?;
        let mut wanted = Vec::new();
        for ((tokens, from), span) in group.iter().zip(&spans) {
            wanted.extend((*from..tokens.len()).map(|i| (span.tokens.start + i - 1, tokens[i])));
        }
        let mut logs = self.log_probabilities(&wanted, read.len(), stop)?.into_iter();
        Ok(group.iter().map(|(tokens, from)| logs.by_ref().take(tokens.len() - from).collect()).collect())
    }

    /// Whether the work on so many tokens is shared among threads.
    fn shared(&self, tokens: usize) -> bool {
        rayon::current_num_threads() > 1 && (tokens > 1 || self.tempo.shared())
    }

    fn check_room(&self, positions: usize) -> Result<()> {
        let most = self.shape.context.min(MOST_POSITIONS);
        if positions > most {
            return Err(ModelError::Run(format!(
                "{positions} tokens are more than the {most} the model can read at once"
            )));
        }
        Ok(())
    }

    /// One pass: what all tokens lead to, each of a span, is left in `x`.
    fn pass(&mut self, tokens: &[u32], spans: &[Span], stop: &AtomicBool) -> Result<()> {
        if let Some(token) = tokens.iter().find(|t| **t as usize >= self.shape.vocabulary) {
            return Err(ModelError::Run(format!("token {token} is not in the vocabulary")));
        }
        let started = Instant::now();
        let shared = self.shared(tokens.len());
        together(shared, || {
            if self.weights.floats {
                self.layers::<Floats>(tokens, spans, shared, stop)
            } else {
                self.layers::<Block>(tokens, spans, shared, stop)
            }
        })?;
        if tokens.len() == 1 {
            self.tempo.note(started.elapsed());
        }
        self.passes += 1;
        self.tokens += tokens.len();
        Ok(())
    }

    fn layers<V: Value>(&mut self, tokens: &[u32], spans: &[Span], shared: bool, stop: &AtomicBool) -> Result<()> {
        let Network { shape, weights, kernels, cache, branches, rotation, x, .. } = self;
        let (kernels, n) = (*kernels, tokens.len());
        let (width, head, inner, kv_width) = (shape.width, shape.head, shape.feed_forward, shape.kv_width());
        let mut normed = vec![V::ZERO; width / BLOCK * n];
        let mut attended = vec![V::ZERO; width / BLOCK * n];
        let mut gated = vec![V::ZERO; inner / BLOCK * n];
        let mut qkv = vec![0.0; (width + 2 * kv_width) * n];
        let mut row = vec![0.0; width.max(2 * head)];
        let mut halves = vec![0; head];
        x.resize(width * n, 0.0);
        for (t, token) in tokens.iter().enumerate() {
            weights.embedding.decode_row(*token as usize, &mut row[..width]);
            scatter(&row[..width], n, t, x);
        }
        for (l, layer) in weights.layers.iter().enumerate() {
            check(stop)?;
            for t in 0..n {
                kernels.normalise(x, t, n, &layer.attention_norm, shape.norm_epsilon, &mut normed);
            }
            product(shared, &kernels, &layer.qkv, 2, &normed, n, &mut qkv, Into::Replace);
            for span in spans {
                let to = if span.own.is_some() { &mut *branches } else { &mut *cache };
                for t in span.tokens.clone() {
                    for h in 0..shape.kv_heads {
                        let (key, rest) = row.split_at_mut(head);
                        let value = &mut rest[..head];
                        gather(&qkv, n, width + h * head, t, key);
                        gather(&qkv, n, width + kv_width + h * head, t, value);
                        rotation.turn(key, span.position(t));
                        to.store(&kernels, l, h, span.slot(t), key, value, &mut halves);
                    }
                }
            }
            let queries = Queries { shape, layer: l, qkv: &qkv, tokens: n, spans, kept: cache, branches };
            let share = if n >= BY_HEAD { 1 } else { shape.heads / shape.kv_heads };
            each(shared, &mut attended, share * head / BLOCK * n, |part, out| {
                SCRATCH.with_borrow_mut(|scratch| {
                    attend(&kernels, rotation, &queries, part * share..(part + 1) * share, scratch, out);
                });
            });
            product(shared, &kernels, &layer.attention_out, 2, &attended, n, x, Into::Add);
            for t in 0..n {
                kernels.normalise(x, t, n, &layer.feed_forward_norm, shape.norm_epsilon, &mut normed);
            }
            each(shared, &mut gated, n, |part, out| {
                SCRATCH.with_borrow_mut(|scratch| {
                    scratch.products.resize(2 * BLOCK * n, 0.0);
                    let (gate, up) = scratch.products.split_at_mut(BLOCK * n);
                    for (first, results) in [(2 * part, &mut *gate), (inner / ROWS + 2 * part, &mut *up)] {
                        for (i, out) in results.chunks_exact_mut(ROWS * n).enumerate() {
                            kernels.multiply(layer.gate_up.tile(first + i), &normed, n, out, Into::Replace);
                        }
                    }
                    kernels.gate(gate, up, out);
                });
            });
            product(shared, &kernels, &layer.down, 1, &gated, n, x, Into::Add);
        }
        Ok(())
    }

    /// The logits after the last of the `n` tokens of the last pass.
    fn logits(&mut self, n: usize, allowed: Option<Allowed>) -> Result<Vec<f32>> {
        let shared = self.shared(n);
        let logits = together(shared, || {
            if self.weights.floats {
                self.last_logits::<Floats>(n, allowed, shared)
            } else {
                self.last_logits::<Block>(n, allowed, shared)
            }
        });
        if logits.iter().any(|v| v.is_nan()) { Err(no_numbers()) } else { Ok(logits) }
    }

    fn last_logits<V: Value>(&self, n: usize, allowed: Option<Allowed>, shared: bool) -> Vec<f32> {
        let normed: Vec<V> = self.head_input(&[n - 1], n);
        let (head, vocabulary) = (&self.weights.head, self.shape.vocabulary);
        let rows = |tile: usize| (tile * ROWS..((tile + 1) * ROWS).min(vocabulary)).map(|t| t as u32);
        let tiles: Vec<usize> = match allowed {
            Some(allowed) => (0..head.tiles()).filter(|tile| rows(*tile).any(allowed)).collect(),
            None => (0..head.tiles()).collect(),
        };
        let mut some = vec![0.0; tiles.len() * ROWS];
        each(shared, &mut some, HEAD_TILES * ROWS, |part, out| {
            for (tile, out) in tiles[part * HEAD_TILES..].iter().zip(out.chunks_exact_mut(ROWS)) {
                self.kernels.multiply(head.tile(*tile), &normed, 1, out, Into::Replace);
            }
        });
        let mut logits = vec![f32::NEG_INFINITY; head.tiles() * ROWS];
        for (tile, some) in tiles.iter().zip(some.as_chunks::<ROWS>().0) {
            logits[tile * ROWS..][..ROWS].copy_from_slice(some);
        }
        logits.truncate(vocabulary);
        logits
    }

    /// What the head meets for some of the `n` tokens of the last pass: `[width / 32][rows]`.
    fn head_input<V: Value>(&self, rows: &[usize], n: usize) -> Vec<V> {
        let width = self.shape.width;
        let mut x = vec![0.0; width * rows.len()];
        let mut row = vec![0.0; width];
        for (i, t) in rows.iter().enumerate() {
            gather(&self.x, n, 0, *t, &mut row);
            scatter(&row, rows.len(), i, &mut x);
        }
        let mut out = vec![V::ZERO; width / BLOCK * rows.len()];
        for i in 0..rows.len() {
            self.kernels.normalise(&x, i, rows.len(), &self.weights.norm, self.shape.norm_epsilon, &mut out);
        }
        out
    }

    /// Log probability of each token after one of the `n` tokens of the last pass.
    fn log_probabilities(&mut self, wanted: &[(usize, u32)], n: usize, stop: &AtomicBool) -> Result<Vec<f32>> {
        let mut out = Vec::with_capacity(wanted.len());
        for wanted in wanted.chunks(LOGIT_ROWS) {
            check(stop)?;
            let logs = together(true, || {
                if self.weights.floats {
                    self.some_log_probabilities::<Floats>(wanted, n)
                } else {
                    self.some_log_probabilities::<Block>(wanted, n)
                }
            });
            if logs.iter().any(|v| v.is_nan()) {
                return Err(no_numbers());
            }
            out.extend(logs);
        }
        Ok(out)
    }

    fn some_log_probabilities<V: Value>(&self, wanted: &[(usize, u32)], n: usize) -> Vec<f32> {
        let rows: Vec<usize> = wanted.iter().map(|(row, _)| *row).collect();
        let normed: Vec<V> = self.head_input(&rows, n);
        let mut logits = vec![0.0; self.weights.head.tiles() * ROWS * rows.len()];
        product(true, &self.kernels, &self.weights.head, HEAD_TILES, &normed, rows.len(), &mut logits, Into::Replace);
        let log = |(i, target): (usize, u32)| {
            let tiles = logits.as_chunks::<ROWS>().0.iter().skip(i).step_by(rows.len());
            let mut row: Vec<f32> = tiles.flatten().copied().take(self.shape.vocabulary).collect();
            let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let value = row.get(target as usize).copied().unwrap_or(f32::NAN);
            value - most - self.kernels.soften(&mut row).ln()
        };
        wanted.par_iter().map(|(_, target)| *target).enumerate().map(log).collect()
    }
}

/// Whether reading one token is quicker on one thread or on all: tried again and again, because other programs come
/// and go.
#[derive(Default)]
struct Tempo {
    turn: usize,
    /// Time of the last trial alone and shared.
    spent: [Duration; 2],
}

impl Tempo {
    /// Tokens of a trial, and from one to the next.
    const TRIAL: usize = 4;
    const EVERY: usize = 256;

    fn shared(&self) -> bool {
        match self.turn % Self::EVERY / Self::TRIAL {
            0 => false,
            1 => true,
            _ => self.spent[1] < self.spent[0],
        }
    }

    fn note(&mut self, took: Duration) {
        if let Some(spent) = self.spent.get_mut(self.turn % Self::EVERY / Self::TRIAL) {
            let first = self.turn.is_multiple_of(Self::TRIAL);
            *spent = if first { took } else { *spent + took };
        }
        self.turn += 1;
    }
}

/// Does shared work among the threads of the pool: from outside, every job would have to be handed over.
fn together<R: Send>(shared: bool, work: impl FnOnce() -> R + Send) -> R {
    if shared && rayon::current_thread_index().is_none() { rayon::scope(|_| work()) } else { work() }
}

/// Cuts `data` into chunks and calls `work(number, chunk)` once for each, on all threads if wanted.
fn each<T: Send>(shared: bool, data: &mut [T], chunk: usize, work: impl Fn(usize, &mut [T]) + Sync + Send) {
    if shared {
        data.par_chunks_mut(chunk).enumerate().for_each(|(part, chunk)| work(part, chunk));
    } else {
        data.chunks_mut(chunk).enumerate().for_each(|(part, chunk)| work(part, chunk));
    }
}

/// A matrix times the values of `tokens` tokens, `tiles` tiles a part.
///
/// `x`: `[columns / 32][tokens]`; `out`: `[rows / 16][tokens][16]`.
#[allow(clippy::too_many_arguments)]
fn product<V: Value>(
    shared: bool,
    kernels: &Kernels,
    weights: &Packed,
    tiles: usize,
    x: &[V],
    tokens: usize,
    out: &mut [f32],
    into: Into,
) {
    each(shared, out, tiles * ROWS * tokens, |part, out| {
        for (i, out) in out.chunks_exact_mut(ROWS * tokens).enumerate() {
            kernels.multiply(weights.tile(part * tiles + i), x, tokens, out, into);
        }
    });
}

/// Puts the values of one token among tile-major ones.
fn scatter(row: &[f32], tokens: usize, token: usize, x: &mut [f32]) {
    for (tile, values) in x.as_chunks_mut::<ROWS>().0.iter_mut().skip(token).step_by(tokens).zip(row.as_chunks().0) {
        *tile = *values;
    }
}

/// What of a sequence goes through the network: the last token predicts nothing that is asked for.
fn inputs(tokens: &[u32]) -> &[u32] {
    tokens.split_last().map_or(&[], |(_, before)| before)
}

/// Cuts the sequences, in order, into groups that go through the network at once.
fn groups(sequences: &[(Vec<u32>, usize)]) -> Vec<&[(Vec<u32>, usize)]> {
    let mut groups = Vec::new();
    let mut group: Range<usize> = 0..0;
    let mut size = 0;
    for (tokens, _) in sequences {
        if size > 0 && size + tokens.len() > PASS {
            groups.push(&sequences[group.clone()]);
            (group.start, size) = (group.end, 0);
        }
        size += tokens.len();
        group.end += 1;
    }
    groups.push(&sequences[group]);
    groups.retain(|group| !group.is_empty());
    groups
}

fn no_numbers() -> ModelError {
    ModelError::Run("the weights lead to numbers that are none".into())
}

fn check(stop: &AtomicBool) -> Result<()> {
    if stop.load(Ordering::Relaxed) { Err(ModelError::Stopped) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::super::gguf::Gguf;
    use super::super::reference::Reference;
    use super::super::tensor_type::TensorType;
    use super::*;

    fn network(file: &[u8]) -> Network {
        let file = Gguf::parse(file).unwrap();
        let shape = Shape::from_gguf(&file).unwrap();
        let weights = Weights::from_gguf(&file, &shape).unwrap();
        Network::new(shape, weights)
    }

    fn tiny() -> Network {
        network(&fixture::file(TensorType::F32))
    }

    fn go() -> AtomicBool {
        AtomicBool::new(false)
    }

    /// Log probabilities by the reference. The file is of halves, as weights of floats are held.
    fn plain_log_probabilities(tokens: &[u32]) -> Vec<Vec<f64>> {
        let file = fixture::file(TensorType::F16);
        let logits = Reference::from_gguf(&Gguf::parse(&file).unwrap()).logits(tokens, 0);
        let log = |row: Vec<f32>| {
            let sum: f64 = row.iter().map(|v| f64::from(*v).exp()).sum();
            row.iter().map(|v| f64::from(*v) - sum.ln()).collect()
        };
        logits.into_iter().map(log).collect()
    }

    fn expected(tokens: &[u32], from: usize) -> Vec<f64> {
        let all = plain_log_probabilities(tokens);
        (from..tokens.len()).map(|i| all[i - 1][tokens[i] as usize]).collect()
    }

    fn assert_close(got: &[f32], wanted: &[f64]) {
        assert_eq!(got.len(), wanted.len());
        for (g, w) in got.iter().zip(wanted) {
            assert!((f64::from(*g) - w).abs() < 6e-3, "{got:?} instead of {wanted:?}");
        }
    }

    #[test]
    fn likelihoods_agree_with_the_plain_model() {
        let tokens = [5, 70, 99, 261, 3, 3, 180, 42, 70];
        let got = tiny().score(&[(tokens.to_vec(), 1)], &go()).unwrap();
        assert_close(&got[0], &expected(&tokens, 1));
    }

    #[test]
    fn continuations_see_the_kept_tokens_and_not_each_other() {
        let mut network = tiny();
        let prefix = [9, 8, 7, 6, 100, 101];
        let endings: [&[u32]; 3] = [&[50, 51, 52, 53], &[60, 61], &[50, 51, 70, 71, 72, 73, 74]];
        network.keep(&prefix, &go()).unwrap();
        let items: Vec<_> = endings.iter().map(|e| (e.to_vec(), 1)).collect();
        for _ in 0..2 {
            let got = network.score(&items, &go()).unwrap();
            for (got, ending) in got.iter().zip(endings) {
                assert_close(got, &expected(&[&prefix[..], ending].concat(), prefix.len() + 1));
            }
        }
    }

    #[test]
    fn more_continuations_than_one_pass_takes_are_all_scored() {
        let mut network = tiny();
        let long: Vec<u32> = (0..PASS as u32 * 2 / 3).map(|i| i % 250 + 3).collect();
        let items: Vec<_> = (0..3).map(|_| (long.clone(), long.len() - 2)).collect();
        let got = network.score(&items, &go()).unwrap();
        assert!(got.iter().all(|g| g.len() == 2 && g == &got[0]));
        assert!(network.passes >= 2);
    }

    #[test]
    fn sequences_are_grouped_in_order_and_no_group_is_larger_than_a_pass_unless_one_sequence_is() {
        let sizes = |lens: &[usize]| -> Vec<Vec<usize>> {
            let sequences: Vec<_> = lens.iter().map(|len| (vec![1; *len], 1)).collect();
            groups(&sequences).iter().map(|group| group.iter().map(|(tokens, _)| tokens.len()).collect()).collect()
        };
        assert_eq!(sizes(&[20; 8]), [vec![20; 3], vec![20; 3], vec![20; 2]]);
        assert_eq!(sizes(&[400, 10, 10]), [vec![400], vec![10, 10]]);
        assert!(sizes(&[]).is_empty());
    }

    #[test]
    fn a_kept_prefix_is_not_computed_again_and_a_changed_one_only_from_the_change_on() {
        let mut network = tiny();
        network.keep(&[1, 2, 3, 4, 5], &go()).unwrap();
        assert_eq!(network.tokens, 5);
        network.keep(&[1, 2, 3, 4, 5], &go()).unwrap();
        assert_eq!(network.tokens, 5);
        network.keep(&[1, 2, 3, 9, 9, 9], &go()).unwrap();
        assert_eq!(network.tokens, 8);
        let got = network.score(&[(vec![20, 21], 1)], &go()).unwrap();
        assert_close(&got[0], &expected(&[1, 2, 3, 9, 9, 9, 20, 21], 7));
    }

    #[test]
    fn writing_token_by_token_gives_what_reading_at_once_gives() {
        let tokens = [4, 44, 144, 244, 24, 4];
        let all = plain_log_probabilities(&tokens);
        let mut network = tiny();
        let mut logits = network.logits_after(&tokens[..2], None, &go()).unwrap();
        for (i, token) in tokens.iter().enumerate().skip(2) {
            let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let sum: f32 = logits.iter().map(|v| (v - most).exp()).sum();
            let logs: Vec<f32> = logits.iter().map(|v| v - most - sum.ln()).collect();
            assert_close(&logs, &all[i - 1]);
            logits = network.next(&[*token], None, &go()).unwrap();
        }
        let again = network.logits_after(&tokens, None, &go()).unwrap();
        assert!(logits.iter().zip(&again).all(|(a, b)| (a - b).abs() < 1e-3));
    }

    #[test]
    fn a_long_text_read_in_pieces_gives_what_it_gives_at_once() {
        let tokens: Vec<u32> = (0..3 * PASS as u32 + 40).map(|i| i * 7 % 250 + 3).collect();
        let mut network = tiny();
        for end in [1, 2, 30, 70, 71, 200] {
            network.keep(&tokens[..end], &go()).unwrap();
        }
        let pieces = network.logits_after(&tokens, None, &go()).unwrap();
        let fresh = tiny().logits_after(&tokens, None, &go()).unwrap();
        assert_eq!(pieces, fresh);
    }

    #[test]
    fn only_what_may_follow_is_computed_and_it_is_the_same() {
        let tokens = [4, 44, 144];
        let all = tiny().logits_after(&tokens, None, &go()).unwrap();
        let some = tiny().logits_after(&tokens, Some(&|token| token % 100 == 7), &go()).unwrap();
        assert_eq!(some.len(), all.len());
        for token in [7, 107, 207] {
            assert_eq!(some[token], all[token]);
        }
        assert!(some.iter().filter(|v| **v == f32::NEG_INFINITY).count() > all.len() / 2);
    }

    #[test]
    fn weights_of_bytes_stay_close_to_those_of_floats() {
        let tokens = [5, 70, 99, 261, 3, 3, 180, 42, 70];
        let wanted = expected(&tokens, 1);
        let got = network(&fixture::file(TensorType::Q8_0)).score(&[(tokens.to_vec(), 1)], &go()).unwrap();
        let square: f64 = got[0].iter().zip(&wanted).map(|(g, w)| (f64::from(*g) - w).powi(2)).sum();
        assert!((square / wanted.len() as f64).sqrt() < 0.2, "{got:?} instead of {wanted:?}");
    }

    #[test]
    fn one_token_is_read_alone_and_shared_in_turn_and_then_in_the_quicker_way() {
        let mut tempo = Tempo::default();
        for turn in 0..2 * Tempo::EVERY {
            let shared = tempo.shared();
            match turn % Tempo::EVERY {
                0..4 => assert!(!shared),
                4..8 => assert!(shared),
                _ => assert_eq!(shared, turn > Tempo::EVERY),
            }
            let quick = (turn >= Tempo::EVERY) == shared;
            tempo.note(Duration::from_millis(if quick { 1 } else { 3 }));
        }
    }

    #[test]
    fn more_tokens_than_the_context_are_refused() {
        let error = tiny().keep(&vec![5; fixture::CONTEXT + 1], &go()).unwrap_err();
        assert!(error.to_string().contains("1024"), "{error}");
    }

    #[test]
    fn a_token_outside_the_vocabulary_is_refused() {
        assert!(tiny().keep(&[100_000], &go()).is_err());
    }

    #[test]
    fn a_stop_ends_the_pass() {
        let stopped = tiny().keep(&[1, 2], &AtomicBool::new(true));
        assert!(matches!(stopped, Err(ModelError::Stopped)));
    }
}
