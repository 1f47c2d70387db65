//! The network once more in `f32` on decoded weights, plainly: what correctness is measured against.

use rayon::prelude::*;

use super::gguf::Gguf;
use super::weights::Shape;

struct Layer {
    attention_norm: Vec<f32>,
    q: Vec<f32>,
    k: Vec<f32>,
    v: Vec<f32>,
    attention_out: Vec<f32>,
    feed_forward_norm: Vec<f32>,
    gate: Vec<f32>,
    up: Vec<f32>,
    down: Vec<f32>,
}

pub struct Reference {
    shape: Shape,
    layers: Vec<Layer>,
    norm: Vec<f32>,
    embedding: Vec<f32>,
    head: Option<Vec<f32>>,
}

impl Reference {
    pub fn from_gguf(file: &Gguf) -> Self {
        let shape = Shape::from_gguf(file).unwrap();
        let get = |name: &str| -> Vec<f32> {
            let tensor = file.tensor(name).unwrap();
            let mut out = vec![0.0; tensor.elements()];
            tensor.kind.decode(tensor.data, &mut out).unwrap();
            out
        };
        let layers = (0..shape.layers).map(|i| {
            let part = |p: &str| get(&format!("blk.{i}.{p}.weight"));
            Layer {
                attention_norm: part("attn_norm"),
                q: part("attn_q"),
                k: part("attn_k"),
                v: part("attn_v"),
                attention_out: part("attn_output"),
                feed_forward_norm: part("ffn_norm"),
                gate: part("ffn_gate"),
                up: part("ffn_up"),
                down: part("ffn_down"),
            }
        });
        Reference {
            layers: layers.collect(),
            norm: get("output_norm.weight"),
            embedding: get("token_embd.weight"),
            head: file.tensor("output.weight").map(|_| get("output.weight")),
            shape,
        }
    }

    /// Logits after each token from `from` on: `[tokens - from][vocabulary]`.
    pub fn logits(&self, tokens: &[u32], from: usize) -> Vec<Vec<f32>> {
        let Shape { width, heads, kv_heads, head, .. } = self.shape;
        let mut x: Vec<Vec<f32>> =
            tokens.iter().map(|t| self.embedding[*t as usize * width..][..width].to_vec()).collect();
        for layer in &self.layers {
            let normed: Vec<_> = x.iter().map(|x| self.normalised(x, &layer.attention_norm)).collect();
            let mut q = apply(&layer.q, &normed);
            let mut k = apply(&layer.k, &normed);
            let v = apply(&layer.v, &normed);
            for (position, (q, k)) in q.iter_mut().zip(&mut k).enumerate() {
                self.turn(q, position);
                self.turn(k, position);
            }
            let attended: Vec<_> = (0..tokens.len())
                .map(|t| {
                    let mut out = vec![0.0; width];
                    for h in 0..heads {
                        let g = h / (heads / kv_heads) * head;
                        let query = &q[t][h * head..][..head];
                        let scores: Vec<f32> =
                            (0..=t).map(|s| dot(query, &k[s][g..][..head]) / (head as f32).sqrt()).collect();
                        let most = scores.iter().copied().fold(f32::MIN, f32::max);
                        let weights: Vec<f32> = scores.iter().map(|s| (s - most).exp()).collect();
                        let sum: f32 = weights.iter().sum();
                        for (w, v) in weights.iter().zip(&v) {
                            for (o, v) in out[h * head..][..head].iter_mut().zip(&v[g..]) {
                                *o += w / sum * v;
                            }
                        }
                    }
                    out
                })
                .collect();
            add(&mut x, &apply(&layer.attention_out, &attended));
            let normed: Vec<_> = x.iter().map(|x| self.normalised(x, &layer.feed_forward_norm)).collect();
            let mut gate = apply(&layer.gate, &normed);
            for (gate, up) in gate.iter_mut().zip(apply(&layer.up, &normed)) {
                for (g, u) in gate.iter_mut().zip(up) {
                    *g = *g / (1.0 + (-*g).exp()) * u;
                }
            }
            add(&mut x, &apply(&layer.down, &gate));
        }
        let normed: Vec<_> = x[from..].iter().map(|x| self.normalised(x, &self.norm)).collect();
        apply(self.head.as_ref().unwrap_or(&self.embedding), &normed)
    }

    fn normalised(&self, x: &[f32], weight: &[f32]) -> Vec<f32> {
        let factor = 1.0 / (dot(x, x) / x.len() as f32 + self.shape.norm_epsilon).sqrt();
        x.iter().zip(weight).map(|(v, w)| v * factor * w).collect()
    }

    fn turn(&self, x: &mut [f32], position: usize) {
        let head = self.shape.head;
        for (i, [a, b]) in x.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            let pair = i % (head / 2);
            let angle = position as f64 * self.shape.rope_base.powf(-2.0 * pair as f64 / head as f64);
            let (sin, cos) = angle.sin_cos();
            (*a, *b) = (*a * cos as f32 - *b * sin as f32, *a * sin as f32 + *b * cos as f32);
        }
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 16];
    let (a, rest_a) = a.as_chunks::<16>();
    let (b, rest_b) = b.as_chunks::<16>();
    for (a, b) in a.iter().zip(b) {
        for ((s, x), y) in lanes.iter_mut().zip(a).zip(b) {
            *s += x * y;
        }
    }
    lanes.iter().sum::<f32>() + rest_a.iter().zip(rest_b).map(|(x, y)| x * y).sum::<f32>()
}

/// Row by row, so that a row of weights is read once for all tokens.
fn apply(weights: &[f32], x: &[Vec<f32>]) -> Vec<Vec<f32>> {
    let columns = x[0].len();
    let rows: Vec<Vec<f32>> =
        weights.par_chunks_exact(columns).map(|row| x.iter().map(|x| dot(row, x)).collect()).collect();
    (0..x.len()).map(|t| rows.iter().map(|row| row[t]).collect()).collect()
}

fn add(x: &mut [Vec<f32>], more: &[Vec<f32>]) {
    for (x, more) in x.iter_mut().zip(more) {
        for (a, b) in x.iter_mut().zip(more) {
            *a += b;
        }
    }
}
