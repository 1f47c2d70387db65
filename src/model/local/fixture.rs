//! A tiny model for tests: the real container, vocabulary rules and shapes, a few kilobytes of random weights.

use std::sync::Arc;

use super::LocalModel;
use super::gguf::assemble;
use super::tensor_type::{TensorType, encode};

pub const LAYERS: usize = 2;
pub const WIDTH: usize = 128;
pub const HEADS: usize = 4;
pub const KV_HEADS: usize = 2;
pub const FEED_FORWARD: usize = 96;
pub const CONTEXT: usize = 1024;
pub const ROPE_BASE: f64 = 10_000.0;
pub const EPSILON: f32 = 1e-5;

/// Header facts under construction.
#[derive(Default, Clone)]
pub struct Header {
    pub count: u64,
    pub bytes: Vec<u8>,
}

impl Header {
    fn key(&mut self, key: &str, kind: u32) {
        self.count += 1;
        self.raw_text(key);
        self.bytes.extend(kind.to_le_bytes());
    }

    fn raw_text(&mut self, text: &str) {
        self.bytes.extend((text.len() as u64).to_le_bytes());
        self.bytes.extend(text.as_bytes());
    }

    pub fn text(mut self, key: &str, value: &str) -> Self {
        self.key(key, 8);
        self.raw_text(value);
        self
    }

    pub fn number(mut self, key: &str, value: u32) -> Self {
        self.key(key, 4);
        self.bytes.extend(value.to_le_bytes());
        self
    }

    pub fn float(mut self, key: &str, value: f32) -> Self {
        self.key(key, 6);
        self.bytes.extend(value.to_le_bytes());
        self
    }

    pub fn texts(mut self, key: &str, values: &[String]) -> Self {
        self.key(key, 9);
        self.bytes.extend(8u32.to_le_bytes());
        self.bytes.extend((values.len() as u64).to_le_bytes());
        for value in values {
            self.raw_text(value);
        }
        self
    }

    pub fn integers(mut self, key: &str, values: &[i32]) -> Self {
        self.key(key, 9);
        self.bytes.extend(5u32.to_le_bytes());
        self.bytes.extend((values.len() as u64).to_le_bytes());
        for value in values {
            self.bytes.extend(value.to_le_bytes());
        }
        self
    }
}

/// Control tokens, one token for each byte, a few merges.
pub fn vocabulary() -> (Vec<String>, Vec<i32>, Vec<String>) {
    let mut tokens: Vec<String> = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"].map(String::from).to_vec();
    let mut kinds = vec![3; 3];
    let mut next = 0x100;
    for byte in 0..=255u8 {
        let letter = if matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF) {
            char::from(byte)
        } else {
            next += 1;
            char::from_u32(next - 1).unwrap()
        };
        tokens.push(letter.to_string());
    }
    let merges: Vec<String> = ["t h", "th e", "Ġ the", "i n", "Ġ a", "Ġ \"", "\" :"].map(String::from).to_vec();
    tokens.extend(merges.iter().map(|m| m.replace(' ', "")));
    kinds.resize(tokens.len(), 1);
    (tokens, kinds, merges)
}

/// The header of the tiny model.
pub fn header(architecture: &str) -> Header {
    let (tokens, kinds, merges) = vocabulary();
    Header::default()
        .text("general.architecture", architecture)
        .text("general.name", "tiny")
        .number("llama.block_count", LAYERS as u32)
        .number("llama.context_length", CONTEXT as u32)
        .number("llama.embedding_length", WIDTH as u32)
        .number("llama.feed_forward_length", FEED_FORWARD as u32)
        .number("llama.attention.head_count", HEADS as u32)
        .number("llama.attention.head_count_kv", KV_HEADS as u32)
        .float("llama.rope.freq_base", ROPE_BASE as f32)
        .float("llama.attention.layer_norm_rms_epsilon", EPSILON)
        .text("tokenizer.ggml.model", "gpt2")
        .text("tokenizer.ggml.pre", "smollm")
        .texts("tokenizer.ggml.tokens", &tokens)
        .integers("tokenizer.ggml.token_type", &kinds)
        .texts("tokenizer.ggml.merges", &merges)
        .number("tokenizer.ggml.eos_token_id", 2)
}

/// Names and extents of all tensors, the fastest extent first.
pub fn table() -> Vec<(String, Vec<usize>)> {
    let vocabulary = vocabulary().0.len();
    let kv = WIDTH / HEADS * KV_HEADS;
    let mut table = vec![
        ("token_embd.weight".to_string(), vec![WIDTH, vocabulary]),
        ("output_norm.weight".to_string(), vec![WIDTH]),
    ];
    for i in 0..LAYERS {
        for (part, dims) in [
            ("attn_norm", vec![WIDTH]),
            ("attn_q", vec![WIDTH, WIDTH]),
            ("attn_k", vec![WIDTH, kv]),
            ("attn_v", vec![WIDTH, kv]),
            ("attn_output", vec![WIDTH, WIDTH]),
            ("ffn_norm", vec![WIDTH]),
            ("ffn_gate", vec![WIDTH, FEED_FORWARD]),
            ("ffn_up", vec![WIDTH, FEED_FORWARD]),
            ("ffn_down", vec![FEED_FORWARD, WIDTH]),
        ] {
            table.push((format!("blk.{i}.{part}.weight"), dims));
        }
    }
    table
}

/// The weights of a tensor by its place in the table: seeded, different for each.
pub fn weights(place: usize, dims: &[usize]) -> Vec<f32> {
    let mut state = place as u64 + 1;
    let norm = dims.len() == 1;
    (0..dims.iter().product::<usize>())
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let unit = (state >> 40) as f32 / 16_777_216.0 - 0.5;
            if norm { 1.0 + unit } else { unit * 0.6 }
        })
        .collect()
}

/// The file, its matrices stored as `kind`.
pub fn file(kind: TensorType) -> Vec<u8> {
    file_with(header("llama"), kind)
}

/// The file with another header.
pub fn file_with(header: Header, kind: TensorType) -> Vec<u8> {
    let table = table();
    let tensors: Vec<_> = table
        .iter()
        .enumerate()
        .map(|(i, (name, dims))| {
            let kind = if dims.len() == 1 { TensorType::F32 } else { kind };
            (name.as_str(), dims.as_slice(), kind, encode(kind, &weights(i, dims)).unwrap())
        })
        .collect();
    assemble(header.count, &header.bytes, 32, &tensors)
}

/// The tiny model, loaded.
pub fn model() -> LocalModel {
    LocalModel::load("tiny", Arc::new(file(TensorType::F32))).unwrap()
}
