//! From the tensors of a file to the shape and the packed matrices of a network.

use super::gguf::{Gguf, Reason, TensorView};
use super::packed::{BLOCK, Packed, Plan, pack};
use super::tensor_type::TensorType;

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
        if file.fact("llama.rope.dimension_count").is_some() && number("llama.rope.dimension_count")? != head {
            return Err("its rotary positions cover only a part of each head, which is not supported".to_string());
        }
        if file.fact("llama.rope.scaling.type").is_some() || file.fact("llama.rope.scale_linear").is_some() {
            return Err("its rotary positions are scaled, which is not supported".to_string());
        }
        let feed_forward = number("llama.feed_forward_length")?;
        if !head.is_multiple_of(BLOCK) || !feed_forward.is_multiple_of(BLOCK) {
            return Err(format!(
                "its heads of {head} or its {feed_forward} inner values are no multiples of {BLOCK}, which is not supported"
            ));
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
            feed_forward,
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

/// One block of the network.
pub struct Layer {
    pub attention_norm: Vec<f32>,
    /// Rows: queries, keys, values.
    pub qkv: Packed,
    pub attention_out: Packed,
    pub feed_forward_norm: Vec<f32>,
    /// Rows: gates, then ups.
    pub gate_up: Packed,
    pub down: Packed,
}

/// All weights.
pub struct Weights {
    /// `[vocabulary, width]`
    pub embedding: Packed,
    /// `[vocabulary, width]`; the embedding itself when the file ties them.
    pub head: Packed,
    pub norm: Vec<f32>,
    pub layers: Vec<Layer>,
    /// Whether weights and values are floats; otherwise both are whole numbers with scales.
    pub floats: bool,
}

impl Weights {
    /// Packs every matrix of the file, in parallel.
    pub fn from_gguf(file: &Gguf, shape: &Shape) -> Result<Self, Reason> {
        let Shape { width, feed_forward, vocabulary, .. } = *shape;
        let kv = shape.kv_width();
        let floats = mostly_floats(file);
        let mut plans = Vec::new();
        let mut plan = |names: &[String], columns: usize, rows: &[usize]| -> Result<(), Reason> {
            let found: Result<Vec<_>, Reason> =
                names.iter().zip(rows).map(|(name, rows)| find(file, name, [columns, *rows])).collect();
            plans.push(Plan::new(found?, floats)?);
            Ok(())
        };
        plan(&["token_embd.weight".into()], width, &[vocabulary])?;
        let tied = file.tensor("output.weight").is_none();
        if !tied {
            plan(&["output.weight".into()], width, &[vocabulary])?;
        }
        let norm = vector(file, "output_norm.weight", width)?;
        // Names are checked one layer at a time, so that an impossible number of layers ends at the first missing one.
        let mut norms = Vec::new();
        for i in 0..shape.layers {
            let name = |part: &str| format!("blk.{i}.{part}.weight");
            norms.push((vector(file, &name("attn_norm"), width)?, vector(file, &name("ffn_norm"), width)?));
            plan(&[name("attn_q"), name("attn_k"), name("attn_v")], width, &[width, kv, kv])?;
            plan(&[name("attn_output")], width, &[width])?;
            plan(&[name("ffn_gate"), name("ffn_up")], width, &[feed_forward, feed_forward])?;
            plan(&[name("ffn_down")], feed_forward, &[width])?;
        }
        refuse_unknown(file, shape.layers)?;
        let mut packed = pack(&plans)?.into_iter();
        let mut next = || packed.next().ok_or_else(|| "a matrix was lost".to_string());
        let embedding = next()?;
        let head = if tied { embedding.clone() } else { next()? };
        let mut layers = Vec::with_capacity(norms.len());
        for (attention_norm, feed_forward_norm) in norms {
            let (qkv, attention_out, gate_up, down) = (next()?, next()?, next()?, next()?);
            layers.push(Layer { attention_norm, qkv, attention_out, feed_forward_norm, gate_up, down });
        }
        Ok(Weights { embedding, head, norm, layers, floats })
    }
}

/// Whether most weights of the matrices are stored as floats.
fn mostly_floats(file: &Gguf) -> bool {
    let (mut floats, mut others) = (0, 0);
    for tensor in file.tensors() {
        match tensor.kind {
            TensorType::F32 | TensorType::F16 | TensorType::Bf16 => floats += tensor.elements(),
            TensorType::Q4_0
            | TensorType::Q4_1
            | TensorType::Q5_0
            | TensorType::Q5_1
            | TensorType::Q8_0
            | TensorType::Q2K
            | TensorType::Q3K
            | TensorType::Q4K
            | TensorType::Q5K
            | TensorType::Q6K => others += tensor.elements(),
        }
    }
    floats > others
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
