//! The forward pass of a llama model, its key/value cache, and likelihoods of tokens.
//!
//! Matrix products are candle's; everything between them works on plain slices. The cache keeps one row of
//! positions; several continuations of the kept positions can be computed in one pass, each seeing the kept
//! positions and itself only, which is how options are scored without computing their common beginning again.

use std::sync::atomic::{AtomicBool, Ordering};

use candle_core::{CpuStorage, Device, Storage, Tensor};
use rayon::prelude::*;

use super::weights::{Layer, Shape, Weights};
use crate::model::{ModelError, Result};

/// Tokens that go through the network at once; bounds the memory of one pass.
pub const PASS: usize = 512;
/// Rows of logits computed at once.
const LOGIT_ROWS: usize = 64;
/// The cache grows in steps of so many positions.
const CACHE_STEP: usize = 512;

/// Keys and values of one layer: `[kv_heads, capacity, head]`.
struct LayerCache {
    keys: Tensor,
    values: Tensor,
}

/// A model ready to run.
pub struct Network {
    shape: Shape,
    weights: Weights,
    cache: Vec<LayerCache>,
    capacity: usize,
    /// The tokens whose keys and values are in the cache.
    kept: Vec<u32>,
    /// Cosine and sine for each position and pair of a head.
    rotation: Vec<(f32, f32)>,
    /// Passes through the network so far.
    pub passes: usize,
    /// Tokens that went through the network so far.
    pub tokens: usize,
}

impl Network {
    pub fn new(shape: Shape, weights: Weights) -> Self {
        Network {
            shape,
            weights,
            cache: Vec::new(),
            capacity: 0,
            kept: Vec::new(),
            rotation: Vec::new(),
            passes: 0,
            tokens: 0,
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
    /// Returns the hidden state after the last token, or `None` when nothing had to be computed.
    pub fn keep(&mut self, tokens: &[u32], stop: &AtomicBool) -> Result<Option<Vec<f32>>> {
        let common = self.kept.iter().zip(tokens).take_while(|(a, b)| a == b).count();
        self.kept.truncate(common);
        let mut last = None;
        while self.kept.len() < tokens.len() {
            let end = (self.kept.len() + PASS).min(tokens.len());
            let piece = &tokens[self.kept.len()..end];
            self.make_room(piece.len())?;
            let hidden = self.pass(&[piece], AndThen::Keep, stop)?;
            self.count(&[piece]);
            self.kept.extend_from_slice(piece);
            let width = self.shape.width;
            last = Some(hidden[hidden.len() - width..].to_vec());
        }
        Ok(last)
    }

    /// Appends tokens to the kept ones and returns the logits after the last.
    pub fn next(&mut self, tokens: &[u32], stop: &AtomicBool) -> Result<Vec<f32>> {
        if tokens.is_empty() {
            return Err(ModelError::Run("no token to continue from".into()));
        }
        let mut all = self.kept.clone();
        all.extend_from_slice(tokens);
        let hidden = self.keep(&all, stop)?.ok_or_else(|| ModelError::Run("no token to continue from".into()))?;
        self.logits(&hidden)
    }

    /// The logits after the whole of `tokens`, reusing what is kept.
    pub fn logits_after(&mut self, tokens: &[u32], stop: &AtomicBool) -> Result<Vec<f32>> {
        let Some((_, before)) = tokens.split_last() else {
            return Err(ModelError::Run("no token to continue from".into()));
        };
        // The last token is always computed anew: its hidden state is not in the cache.
        let common = self.kept.iter().zip(before).take_while(|(a, b)| a == b).count();
        self.kept.truncate(common);
        let hidden = self.keep(tokens, stop)?.ok_or_else(|| ModelError::Run("no token to continue from".into()))?;
        self.logits(&hidden)
    }

    /// For each sequence, to be read after the kept tokens, the log probability of every token from the given one
    /// on (at least the second, so that there is one to predict it from). The kept tokens stay.
    ///
    /// The sequences are shared out to the threads once and meet again at the end: threads that wait for each other
    /// after every product come to a standstill on a machine whose cores are busy with other programs.
    pub fn score(&mut self, sequences: &[(Vec<u32>, usize)], stop: &AtomicBool) -> Result<Vec<Vec<f32>>> {
        if let Some((tokens, _)) = sequences.iter().find(|(tokens, from)| *from == 0 || *from >= tokens.len()) {
            return Err(ModelError::Run(format!("a text of {} tokens cannot be scored", tokens.len())));
        }
        self.make_room(sequences.iter().map(|(tokens, _)| tokens.len()).max().unwrap_or(0))?;
        let groups = shares(sequences, rayon::current_num_threads());
        let logs = groups
            .par_iter()
            .with_max_len(1)
            .map(|group| self.score_group(group, stop))
            .collect::<Result<Vec<Vec<Vec<f32>>>>>()?;
        for group in &groups {
            self.count(&group.iter().map(|(tokens, _)| inputs(tokens)).collect::<Vec<_>>());
        }
        Ok(logs.into_iter().flatten().collect())
    }

    /// Scores sequences that go through the network together.
    fn score_group(&self, group: &[(Vec<u32>, usize)], stop: &AtomicBool) -> Result<Vec<Vec<f32>>> {
        let width = self.shape.width;
        let read: Vec<&[u32]> = group.iter().map(|(tokens, _)| inputs(tokens)).collect();
        let hidden = self.pass(&read, AndThen::Forget, stop)?;
        let mut rows = Vec::new();
        let mut targets = Vec::new();
        let mut base = 0;
        for (tokens, from) in group {
            for (i, target) in tokens.iter().enumerate().skip(*from) {
                let row = base + i - 1;
                rows.extend_from_slice(&hidden[row * width..(row + 1) * width]);
                targets.push(*target);
            }
            base += tokens.len() - 1;
        }
        let mut logs = self.log_probabilities(&rows, &targets, stop)?.into_iter();
        Ok(group.iter().map(|(tokens, from)| logs.by_ref().take(tokens.len() - from).collect()).collect())
    }

    /// The logits of one normalised hidden state.
    fn logits(&self, hidden: &[f32]) -> Result<Vec<f32>> {
        let x = tensor(self.normalised(hidden, &self.weights.norm), hidden.len() / self.shape.width)?;
        let logits = product(&x, &self.weights.head)?;
        read(&logits, |values| {
            if values.iter().any(|v| v.is_nan()) {
                return Err(ModelError::Run("the weights lead to numbers that are none".into()));
            }
            Ok(values.to_vec())
        })?
    }

    /// Log probability of each target after its hidden state.
    fn log_probabilities(&self, hidden: &[f32], targets: &[u32], stop: &AtomicBool) -> Result<Vec<f32>> {
        let (width, vocabulary) = (self.shape.width, self.shape.vocabulary);
        let mut out = Vec::with_capacity(targets.len());
        for (rows, targets) in hidden.chunks(LOGIT_ROWS * width).zip(targets.chunks(LOGIT_ROWS)) {
            check(stop)?;
            let x = tensor(self.normalised(rows, &self.weights.norm), targets.len())?;
            let logits = product(&x, &self.weights.head)?;
            let logs: Vec<f32> = read(&logits, |values| {
                values
                    .par_chunks(vocabulary)
                    .zip(targets)
                    .map(|(row, target)| {
                        let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                        let sum: f32 = row.iter().map(|v| (v - most).exp()).sum();
                        row.get(*target as usize).map_or(f32::NAN, |v| v - most - sum.ln())
                    })
                    .collect()
            })?;
            if logs.iter().any(|v| v.is_nan()) {
                return Err(ModelError::Run("the weights lead to numbers that are none".into()));
            }
            out.extend(logs);
        }
        Ok(out)
    }

    /// One pass: hidden states of all tokens of all sequences, each following the kept tokens.
    fn pass(&self, sequences: &[&[u32]], then: AndThen, stop: &AtomicBool) -> Result<Vec<f32>> {
        let total: usize = sequences.iter().map(|s| s.len()).sum();
        let mut x = self.embed(sequences)?;
        for (layer, cache) in self.weights.layers.iter().zip(&self.cache) {
            check(stop)?;
            let normed = tensor(self.normalised(&x, &layer.attention_norm), total)?;
            let attended = self.attention(layer, cache, &normed, sequences, then)?;
            add(&mut x, &product(&attended, &layer.attention_out)?)?;
            let normed = tensor(self.normalised(&x, &layer.feed_forward_norm), total)?;
            let gate_up = product(&normed, &layer.gate_up)?;
            let gated = read(&gate_up, |values| gated(values, self.shape.feed_forward))?;
            add(&mut x, &product(&tensor(gated, total)?, &layer.down)?)?;
        }
        Ok(x)
    }

    fn count(&mut self, read: &[&[u32]]) {
        self.passes += 1;
        self.tokens += read.iter().map(|s| s.len()).sum::<usize>();
    }

    fn embed(&self, sequences: &[&[u32]]) -> Result<Vec<f32>> {
        let width = self.shape.width;
        read(&self.weights.embedding, |table| {
            let mut x = Vec::with_capacity(sequences.iter().map(|s| s.len()).sum::<usize>() * width);
            for token in sequences.iter().copied().flatten() {
                let start = *token as usize * width;
                let row = table
                    .get(start..start + width)
                    .ok_or_else(|| ModelError::Run(format!("token {token} is not in the vocabulary")))?;
                x.extend_from_slice(row);
            }
            Ok(x)
        })?
    }

    /// Attention of every sequence over the kept positions and its own earlier ones: `[tokens, width]`.
    fn attention(
        &self,
        layer: &Layer,
        cache: &LayerCache,
        normed: &Tensor,
        sequences: &[&[u32]],
        then: AndThen,
    ) -> Result<Tensor> {
        let Shape { width, heads, kv_heads, head, .. } = self.shape;
        let group = heads / kv_heads;
        let row = width + 2 * self.shape.kv_width();
        let kept = self.kept.len();
        let qkv = product(normed, &layer.qkv)?;
        let mut out = vec![0.0; normed.dim(0).map_err(run)? * width];
        let mut base = 0;
        for sequence in sequences {
            let len = sequence.len();
            let (queries, keys, values) = read(&qkv, |all| self.split(&all[base * row..(base + len) * row]))?;
            // The queries of the heads that share keys are rows of one matrix: no key is copied for them.
            let queries = Tensor::from_vec(queries, (kv_heads, group * len, head), &Device::Cpu).map_err(run)?;
            let keys = Tensor::from_vec(keys, (kv_heads, len, head), &Device::Cpu).map_err(run)?;
            let values = Tensor::from_vec(values, (kv_heads, len, head), &Device::Cpu).map_err(run)?;
            let kept_keys = cache.keys.narrow(1, 0, kept).map_err(run)?;
            let kept_values = cache.values.narrow(1, 0, kept).map_err(run)?;

            let own = similarity(&queries, &keys)?;
            let attended = if kept == 0 {
                let (own, _) = read(&own, |own| attention_weights(own, &[], len))?;
                vec![weighted(own, &values, len)?]
            } else {
                let before = similarity(&queries, &kept_keys)?;
                let (own, before) = read(&own, |own| read(&before, |before| attention_weights(own, before, len)))??;
                vec![weighted(own, &values, len)?, weighted(before, &kept_values, kept)?]
            };
            for part in &attended {
                read(part, |part| {
                    for (i, from) in part.chunks_exact(head).enumerate() {
                        let (h, t) = (i / len, i % len);
                        let to = (base + t) * width + h * head;
                        for (o, v) in out[to..to + head].iter_mut().zip(from) {
                            *o += v;
                        }
                    }
                })?;
            }
            if then == AndThen::Keep {
                cache.keys.slice_set(&keys, 1, kept).map_err(run)?;
                cache.values.slice_set(&values, 1, kept).map_err(run)?;
            }
            base += len;
        }
        tensor(out, base)
    }

    /// Takes queries, keys and values of one sequence apart, heads first, turns them to their positions, and
    /// scales the queries.
    fn split(&self, qkv: &[f32]) -> (Vec<f32>, Vec<f32>, Vec<f32>) {
        let Shape { width, heads, kv_heads, head, .. } = self.shape;
        let kv = self.shape.kv_width();
        let row = width + 2 * kv;
        let len = qkv.len() / row;
        let kept = self.kept.len();
        let scale = 1.0 / (head as f32).sqrt();
        let mut queries = vec![0.0; heads * len * head];
        let mut keys = vec![0.0; kv_heads * len * head];
        let mut values = vec![0.0; kv_heads * len * head];
        for (t, source) in qkv.chunks_exact(row).enumerate() {
            let angles = &self.rotation[(kept + t) * head / 2..(kept + t + 1) * head / 2];
            for h in 0..heads {
                let to = (h * len + t) * head;
                turn(&source[h * head..][..head], angles, scale, &mut queries[to..to + head]);
            }
            for h in 0..kv_heads {
                let to = (h * len + t) * head;
                turn(&source[width + h * head..][..head], angles, 1.0, &mut keys[to..to + head]);
                values[to..to + head].copy_from_slice(&source[width + kv + h * head..][..head]);
            }
        }
        (queries, keys, values)
    }

    /// Root-mean-square normalisation of each row.
    fn normalised(&self, x: &[f32], weight: &[f32]) -> Vec<f32> {
        let width = self.shape.width;
        let mut out = vec![0.0; x.len()];
        out.par_chunks_mut(width).zip(x.par_chunks(width)).with_min_len(64).for_each(|(out, row)| {
            let square: f32 = row.iter().map(|v| v * v).sum();
            let factor = 1.0 / (square / width as f32 + self.shape.norm_epsilon).sqrt();
            for ((o, v), w) in out.iter_mut().zip(row).zip(weight) {
                *o = v * factor * w;
            }
        });
        out
    }

    /// Makes the cache and the table of angles long enough for so many positions after the kept ones.
    fn make_room(&mut self, further: usize) -> Result<()> {
        let positions = self.kept.len() + further;
        if positions > self.shape.context {
            return Err(ModelError::Run(format!(
                "{positions} tokens are more than the {} the model can read at once",
                self.shape.context
            )));
        }
        if positions <= self.capacity {
            return Ok(());
        }
        let capacity = positions.next_multiple_of(CACHE_STEP).min(self.shape.context);
        let Shape { kv_heads, head, layers, rope_base, .. } = self.shape;
        let empty = || Tensor::zeros((kv_heads, capacity, head), candle_core::DType::F32, &Device::Cpu).map_err(run);
        let mut larger = Vec::with_capacity(layers);
        for i in 0..layers {
            let new = LayerCache { keys: empty()?, values: empty()? };
            if let Some(old) = self.cache.get(i) {
                new.keys.slice_set(&old.keys, 1, 0).map_err(run)?;
                new.values.slice_set(&old.values, 1, 0).map_err(run)?;
            }
            larger.push(new);
        }
        self.cache = larger;
        self.capacity = capacity;
        self.rotation = (0..capacity)
            .flat_map(|position| {
                (0..head / 2).map(move |pair| {
                    let frequency = rope_base.powf(-2.0 * pair as f64 / head as f64);
                    let (sin, cos) = (position as f64 * frequency).sin_cos();
                    (cos as f32, sin as f32)
                })
            })
            .collect();
        Ok(())
    }
}

/// Turns the pairs (0,1), (2,3) ... of a head: GGUF stores llama weights in the order that wants neighbours paired.
fn turn(head: &[f32], angles: &[(f32, f32)], scale: f32, out: &mut [f32]) {
    for ((pair, to), (cos, sin)) in head.as_chunks::<2>().0.iter().zip(out.as_chunks_mut::<2>().0).zip(angles) {
        let [a, b] = pair;
        *to = [(a * cos - b * sin) * scale, (a * sin + b * cos) * scale];
    }
}

/// `silu(gate) * up` for rows of `[gate, up]`.
fn gated(gate_up: &[f32], width: usize) -> Vec<f32> {
    let mut out = vec![0.0; gate_up.len() / 2];
    out.par_chunks_mut(width).zip(gate_up.par_chunks(2 * width)).with_min_len(64).for_each(|(out, row)| {
        let (gate, up) = row.split_at(width);
        for ((o, g), u) in out.iter_mut().zip(gate).zip(up) {
            *o = g / (1.0 + (-g).exp()) * u;
        }
    });
    out
}

/// `queries` times the transposed keys, head by head.
fn similarity(queries: &Tensor, keys: &Tensor) -> Result<Tensor> {
    keys.transpose(1, 2).and_then(|keys| queries.matmul(&keys)).map_err(run)
}

/// Rows of weights times the values of so many positions, head by head.
fn weighted(weights: Vec<f32>, values: &Tensor, positions: usize) -> Result<Tensor> {
    let kv_heads = values.dim(0).map_err(run)?;
    let rows = weights.len().checked_div(kv_heads * positions).unwrap_or(0);
    let weights = Tensor::from_vec(weights, (kv_heads, rows, positions), &Device::Cpu).map_err(run)?;
    weights.matmul(values).map_err(run)
}

/// Softmax over each row of similarities, to the sequence's own `len` positions (of which query `t` sees the first
/// `t + 1`) and to the kept ones before them (all seen) together; both parts of the rows come back apart.
fn attention_weights(own: &[f32], before: &[f32], len: usize) -> (Vec<f32>, Vec<f32>) {
    let rows = own.len().checked_div(len).unwrap_or(0);
    let kept = before.len().checked_div(rows).unwrap_or(0);
    let (mut own, mut before) = (own.to_vec(), before.to_vec());
    for row in 0..rows {
        let (seen, unseen) = own[row * len..(row + 1) * len].split_at_mut(row % len + 1);
        let before = &mut before[row * kept..(row + 1) * kept];
        let most = before.iter().chain(seen.iter()).copied().fold(f32::NEG_INFINITY, f32::max);
        let mut sum = 0.0;
        for v in before.iter_mut().chain(seen.iter_mut()) {
            *v = (*v - most).exp();
            sum += *v;
        }
        for v in before.iter_mut().chain(seen.iter_mut()) {
            *v /= sum;
        }
        unseen.fill(0.0);
    }
    (own, before)
}

/// Whether the keys and values of a pass are wanted later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AndThen {
    Keep,
    Forget,
}

/// What of a sequence goes through the network: the last token predicts nothing that is asked for.
fn inputs(tokens: &[u32]) -> &[u32] {
    tokens.split_last().map_or(&[], |(_, before)| before)
}

/// Cuts the sequences, in order, into groups of about equal numbers of tokens: one for each thread, or more where a
/// group would exceed a pass.
fn shares(sequences: &[(Vec<u32>, usize)], threads: usize) -> Vec<&[(Vec<u32>, usize)]> {
    let total: usize = sequences.iter().map(|(tokens, _)| tokens.len()).sum();
    let share = total.div_ceil(threads.max(1)).min(PASS);
    let mut groups = Vec::new();
    let (mut first, mut size) = (0, 0);
    for (i, (tokens, _)) in sequences.iter().enumerate() {
        // A sequence goes where more than half of it fits.
        if size > 0 && (size + tokens.len() / 2 > share || size + tokens.len() > PASS) {
            groups.push(&sequences[first..i]);
            (first, size) = (i, 0);
        }
        size += tokens.len();
    }
    groups.push(&sequences[first..]);
    groups.retain(|group| !group.is_empty());
    groups
}

fn check(stop: &AtomicBool) -> Result<()> {
    if stop.load(Ordering::Relaxed) { Err(ModelError::Stopped) } else { Ok(()) }
}

fn run(error: candle_core::Error) -> ModelError {
    ModelError::Run(error.to_string())
}

/// A matrix of so many rows.
fn tensor(values: Vec<f32>, rows: usize) -> Result<Tensor> {
    let columns = values.len().checked_div(rows).unwrap_or(0);
    Tensor::from_vec(values, (rows, columns), &Device::Cpu).map_err(run)
}

/// `x` times the transposed weights.
fn product(x: &Tensor, weights: &Tensor) -> Result<Tensor> {
    weights.t().and_then(|w| x.matmul(&w)).map_err(run)
}

/// Looks at the values of a contiguous tensor without copying them.
fn read<R>(tensor: &Tensor, look: impl FnOnce(&[f32]) -> R) -> Result<R> {
    let (storage, layout) = tensor.storage_and_layout();
    let (Storage::Cpu(CpuStorage::F32(values)), Some((start, end))) = (&*storage, layout.contiguous_offsets()) else {
        return Err(ModelError::Run("a tensor is not where it was expected".into()));
    };
    Ok(look(&values[start..end]))
}

fn add(x: &mut [f32], more: &Tensor) -> Result<()> {
    read(more, |values| {
        for (a, b) in x.iter_mut().zip(values) {
            *a += b;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::super::gguf::Gguf;
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

    /// The model written out once more, slowly and plainly, from the description of the architecture.
    fn plain_log_probabilities(tokens: &[u32]) -> Vec<Vec<f64>> {
        let table = fixture::table();
        let get = |name: String| -> Vec<f64> {
            let place = table.iter().position(|(n, _)| *n == name).unwrap();
            fixture::weights(place, &table[place].1).into_iter().map(f64::from).collect()
        };
        let apply = |w: &[f64], x: &[f64]| -> Vec<f64> {
            w.chunks(x.len()).map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum()).collect()
        };
        let norm = |x: &[f64], w: &[f64]| -> Vec<f64> {
            let mean = x.iter().map(|v| v * v).sum::<f64>() / x.len() as f64;
            x.iter().zip(w).map(|(v, w)| v / (mean + f64::from(fixture::EPSILON)).sqrt() * w).collect()
        };
        let head = fixture::WIDTH / fixture::HEADS;
        let turned = |x: &[f64], position: usize| -> Vec<f64> {
            let mut out = x.to_vec();
            for h in (0..x.len()).step_by(head) {
                for i in 0..head / 2 {
                    let angle = position as f64 * fixture::ROPE_BASE.powf(-2.0 * i as f64 / head as f64);
                    let (a, b) = (x[h + 2 * i], x[h + 2 * i + 1]);
                    out[h + 2 * i] = a * angle.cos() - b * angle.sin();
                    out[h + 2 * i + 1] = a * angle.sin() + b * angle.cos();
                }
            }
            out
        };
        let embedding = get("token_embd.weight".into());
        let mut states: Vec<Vec<f64>> =
            tokens.iter().map(|t| embedding[*t as usize * fixture::WIDTH..][..fixture::WIDTH].to_vec()).collect();
        for layer in 0..fixture::LAYERS {
            let part = |p: &str| get(format!("blk.{layer}.{p}.weight"));
            let normed: Vec<_> = states.iter().map(|x| norm(x, &part("attn_norm"))).collect();
            let q: Vec<_> = normed.iter().enumerate().map(|(i, x)| turned(&apply(&part("attn_q"), x), i)).collect();
            let k: Vec<_> = normed.iter().enumerate().map(|(i, x)| turned(&apply(&part("attn_k"), x), i)).collect();
            let v: Vec<_> = normed.iter().map(|x| apply(&part("attn_v"), x)).collect();
            for t in 0..tokens.len() {
                let mut attended = vec![0.0; fixture::WIDTH];
                for h in 0..fixture::HEADS {
                    let g = h / (fixture::HEADS / fixture::KV_HEADS) * head;
                    let score = |s: usize| -> f64 {
                        (0..head).map(|i| q[t][h * head + i] * k[s][g + i]).sum::<f64>() / (head as f64).sqrt()
                    };
                    let weights: Vec<f64> = (0..=t).map(|s| score(s).exp()).collect();
                    let sum: f64 = weights.iter().sum();
                    for (s, w) in weights.iter().enumerate() {
                        for i in 0..head {
                            attended[h * head + i] += w / sum * v[s][g + i];
                        }
                    }
                }
                for (x, y) in states[t].iter_mut().zip(apply(&part("attn_output"), &attended)) {
                    *x += y;
                }
            }
            for x in &mut states {
                let normed = norm(x, &part("ffn_norm"));
                let gate = apply(&part("ffn_gate"), &normed);
                let up = apply(&part("ffn_up"), &normed);
                let mixed: Vec<f64> = gate.iter().zip(&up).map(|(g, u)| g / (1.0 + (-g).exp()) * u).collect();
                for (x, y) in x.iter_mut().zip(apply(&part("ffn_down"), &mixed)) {
                    *x += y;
                }
            }
        }
        states
            .iter()
            .map(|x| {
                let logits = apply(&embedding, &norm(x, &get("output_norm.weight".into())));
                let sum: f64 = logits.iter().map(|v| v.exp()).sum();
                logits.iter().map(|v| v - sum.ln()).collect()
            })
            .collect()
    }

    fn expected(tokens: &[u32], from: usize) -> Vec<f64> {
        let all = plain_log_probabilities(tokens);
        (from..tokens.len()).map(|i| all[i - 1][tokens[i] as usize]).collect()
    }

    fn assert_close(got: &[f32], wanted: &[f64]) {
        assert_eq!(got.len(), wanted.len());
        for (g, w) in got.iter().zip(wanted) {
            assert!((f64::from(*g) - w).abs() < 1e-3, "{got:?} instead of {wanted:?}");
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
        let long: Vec<u32> = (0..PASS as u32 / 2).map(|i| i % 250 + 3).collect();
        let items: Vec<_> = (0..3).map(|_| (long.clone(), long.len() - 2)).collect();
        let got = network.score(&items, &go()).unwrap();
        assert!(got.iter().all(|g| g.len() == 2 && g == &got[0]));
        assert!(network.passes >= 2);
    }

    #[test]
    fn work_is_shared_out_evenly_and_in_order() {
        let sequence = |len: usize| (vec![1; len], 1);
        let sizes = |lens: &[usize], threads: usize| -> Vec<Vec<usize>> {
            let sequences: Vec<_> = lens.iter().map(|len| sequence(*len)).collect();
            let groups = shares(&sequences, threads);
            groups.iter().map(|group| group.iter().map(|(tokens, _)| tokens.len()).collect()).collect()
        };
        assert_eq!(sizes(&[20; 8], 2), [[20; 4], [20; 4]]);
        assert_eq!(sizes(&[20; 8], 1), [[20; 8]]);
        assert_eq!(sizes(&[10, 10, 40], 2), [vec![10, 10], vec![40]]);
        assert_eq!(sizes(&[400, 400], 1), [[400], [400]]);
        assert_eq!(sizes(&[20], 4), [[20]]);
        assert!(sizes(&[], 2).is_empty());
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
        let mut logits = network.logits_after(&tokens[..2], &go()).unwrap();
        for (i, token) in tokens.iter().enumerate().skip(2) {
            let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let sum: f32 = logits.iter().map(|v| (v - most).exp()).sum();
            let logs: Vec<f32> = logits.iter().map(|v| v - most - sum.ln()).collect();
            assert_close(&logs, &all[i - 1]);
            logits = network.next(&[*token], &go()).unwrap();
        }
        let again = network.logits_after(&tokens, &go()).unwrap();
        assert!(logits.iter().zip(&again).all(|(a, b)| (a - b).abs() < 1e-3));
    }

    #[test]
    fn the_cache_grows_without_losing_what_it_holds() {
        let mut network = tiny();
        let tokens: Vec<u32> = (0..CACHE_STEP as u32 + 40).map(|i| i * 7 % 250 + 3).collect();
        network.keep(&tokens[..30], &go()).unwrap();
        let grown = network.logits_after(&tokens, &go()).unwrap();
        let fresh = tiny().logits_after(&tokens, &go()).unwrap();
        assert!(grown.iter().zip(&fresh).all(|(a, b)| (a - b).abs() < 1e-3));
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
