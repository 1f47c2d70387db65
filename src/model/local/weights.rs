//! From the tensors of a file to matrices in memory.
//!
//! The weights are decoded to `f32` when the model is loaded: candle's `f32` product picks AVX2 or AVX-512 at run
//! time, while its quantised products need them at build time, which one binary for old and new machines rules out.

use candle_core::{Device, Tensor};
use rayon::prelude::*;

use super::gguf::{Gguf, Reason, TensorView};

/// The shape of the network.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    pub layers: usize,
    /// Width of the residual stream.
    pub width: usize,
    pub heads: usize,
    pub kv_heads: usize,
    /// Width of one head.
    pub head: usize,
    pub feed_forward: usize,
    pub vocabulary: usize,
    /// Longest context the model was trained for.
    pub context: usize,
    pub rope_base: f64,
    pub norm_epsilon: f32,
}

/// Bounds no real model of this family exceeds; they keep products of sizes from overflowing.
const MOST: usize = 1 << 24;

impl Shape {
    /// Reads and checks the header facts of a llama model.
    pub fn from_gguf(file: &Gguf) -> Result<Self, Reason> {
        let architecture = file.text("general.architecture")?;
        if architecture != "llama" {
            return Err(format!("its architecture is {architecture:?} (supported: llama)"));
        }
        let number = |key: &str| -> Result<usize, Reason> {
            let n = file.unsigned(key)?;
            usize::try_from(n)
                .ok()
                .filter(|n| (1..=MOST).contains(n))
                .ok_or_else(|| format!("header fact {key:?} has the impossible value {n}"))
        };
        let embedding = file.tensor("token_embd.weight").ok_or("tensor \"token_embd.weight\" is missing")?;
        let width = number("llama.embedding_length")?;
        let heads = number("llama.attention.head_count")?;
        let kv_heads = number("llama.attention.head_count_kv")?;
        if !width.is_multiple_of(heads) || !heads.is_multiple_of(kv_heads) {
            return Err(format!("width {width}, {heads} heads and {kv_heads} key heads do not fit together"));
        }
        let head = width / heads;
        if file.fact("llama.rope.dimension_count").is_some() && number("llama.rope.dimension_count")? != head
            || !head.is_multiple_of(2)
        {
            return Err("its rotary positions cover only a part of each head, which is not supported".to_string());
        }
        if file.fact("llama.rope.scaling.type").is_some() || file.fact("llama.rope.scale_linear").is_some() {
            return Err("its rotary positions are scaled, which is not supported".to_string());
        }
        let rope_base = match file.fact("llama.rope.freq_base") {
            None => 10_000.0,
            Some(_) => file.float("llama.rope.freq_base")?,
        };
        let norm_epsilon = file.float("llama.attention.layer_norm_rms_epsilon")? as f32;
        if !(rope_base > 1.0 && rope_base.is_finite() && norm_epsilon > 0.0 && norm_epsilon < 1.0) {
            return Err("its rotary base or norm epsilon is impossible".to_string());
        }
        if embedding.dims[1] == 0 {
            return Err("its vocabulary is empty".to_string());
        }
        Ok(Shape {
            layers: number("llama.block_count")?,
            width,
            heads,
            kv_heads,
            head,
            feed_forward: number("llama.feed_forward_length")?,
            vocabulary: embedding.dims[1],
            context: number("llama.context_length")?,
            rope_base,
            norm_epsilon,
        })
    }

    /// Width of all keys (or values) of one position.
    pub fn kv_width(&self) -> usize {
        self.kv_heads * self.head
    }
}

/// One block of the network. Matrices are `[outputs, inputs]`.
pub struct Layer {
    pub attention_norm: Vec<f32>,
    /// Queries, keys and values below each other.
    pub qkv: Tensor,
    pub attention_out: Tensor,
    pub feed_forward_norm: Vec<f32>,
    /// Gate and up below each other.
    pub gate_up: Tensor,
    pub down: Tensor,
}

/// All weights.
pub struct Weights {
    /// `[vocabulary, width]`
    pub embedding: Tensor,
    /// `[vocabulary, width]`; the embedding itself when the file ties them.
    pub head: Tensor,
    pub norm: Vec<f32>,
    pub layers: Vec<Layer>,
}

impl Weights {
    /// Decodes every tensor of the file, in parallel.
    pub fn from_gguf(file: &Gguf, shape: &Shape) -> Result<Self, Reason> {
        let Shape { width, feed_forward, vocabulary, .. } = *shape;
        let kv = shape.kv_width();
        let embedding = matrix(file, &["token_embd.weight".into()], width, &[vocabulary])?;
        let head = if file.tensor("output.weight").is_some() {
            matrix(file, &["output.weight".into()], width, &[vocabulary])?
        } else {
            embedding.clone()
        };
        let norm = vector(file, "output_norm.weight", width)?;
        // Names are checked one layer at a time, so that an impossible number of layers ends at the first missing one.
        let layers = (0..shape.layers)
            .map(|i| {
                let name = |part: &str| format!("blk.{i}.{part}.weight");
                Ok(Layer {
                    attention_norm: vector(file, &name("attn_norm"), width)?,
                    qkv: matrix(file, &[name("attn_q"), name("attn_k"), name("attn_v")], width, &[width, kv, kv])?,
                    attention_out: matrix(file, &[name("attn_output")], width, &[width])?,
                    feed_forward_norm: vector(file, &name("ffn_norm"), width)?,
                    gate_up: matrix(file, &[name("ffn_gate"), name("ffn_up")], width, &[feed_forward, feed_forward])?,
                    down: matrix(file, &[name("ffn_down")], feed_forward, &[width])?,
                })
            })
            .collect::<Result<Vec<_>, Reason>>()?;
        refuse_unknown(file, shape.layers)?;
        Ok(Weights { embedding, head, norm, layers })
    }
}

/// A tensor that we would ignore (a bias, say) means results that are silently wrong.
fn refuse_unknown(file: &Gguf, layers: usize) -> Result<(), Reason> {
    const GLOBAL: [&str; 3] = ["token_embd.weight", "output.weight", "output_norm.weight"];
    const PARTS: [&str; 9] =
        ["attn_norm", "attn_q", "attn_k", "attn_v", "attn_output", "ffn_norm", "ffn_gate", "ffn_up", "ffn_down"];
    let in_layer = |name: &str| {
        let (number, part) = name.strip_prefix("blk.")?.split_once('.')?;
        let known = number.parse::<usize>().is_ok_and(|n| n < layers) && PARTS.contains(&part.strip_suffix(".weight")?);
        known.then_some(())
    };
    match file.tensors().iter().find(|t| !GLOBAL.contains(&t.name) && in_layer(t.name).is_none()) {
        None => Ok(()),
        Some(t) => Err(format!("it has a tensor {:?} that the llama architecture does not use", t.name)),
    }
}

fn find<'f, 'a>(file: &'f Gguf<'a>, name: &str, dims: [usize; 2]) -> Result<&'f TensorView<'a>, Reason> {
    let view = file.tensor(name).ok_or_else(|| format!("tensor {name:?} is missing"))?;
    if view.dims != [dims[0], dims[1], 1, 1] {
        return Err(format!("tensor {name:?} has the shape {:?} instead of {dims:?}", &view.dims[..view.rank]));
    }
    Ok(view)
}

fn vector(file: &Gguf, name: &str, width: usize) -> Result<Vec<f32>, Reason> {
    let view = find(file, name, [width, 1])?;
    let mut out = vec![0.0; width];
    view.kind.decode(view.data, &mut out).map_err(|e| format!("tensor {name:?}: {e}"))?;
    Ok(out)
}

/// Decodes matrices of the same number of inputs below each other.
fn matrix(file: &Gguf, names: &[String], inputs: usize, outputs: &[usize]) -> Result<Tensor, Reason> {
    let total: usize = outputs.iter().sum();
    let views = names
        .iter()
        .zip(outputs)
        .map(|(name, rows)| find(file, name, [inputs, *rows]))
        .collect::<Result<Vec<_>, Reason>>()?;
    let mut values = vec![0.0f32; total * inputs];
    let mut rest = values.as_mut_slice();
    for view in views {
        let (out, after) = rest.split_at_mut(view.elements());
        rest = after;
        // A row is whole blocks (checked when the table was read), so rows decode independently.
        let row_bytes = inputs / view.kind.block_elements() * view.kind.block_bytes();
        const ROWS: usize = 64;
        out.par_chunks_mut(ROWS * inputs)
            .zip(view.data.par_chunks(ROWS * row_bytes))
            .try_for_each(|(out, data)| view.kind.decode(data, out))
            .map_err(|e| format!("tensor {:?}: {e}", view.name))?;
    }
    Tensor::from_vec(values, (total, inputs), &Device::Cpu).map_err(|e| e.to_string())
}
