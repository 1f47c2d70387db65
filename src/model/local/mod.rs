//! The embedded GGUF model: one file in, likelihoods, choices and constrained text out.
//!
//! Owns: the container (`gguf`), the weights, the vocabulary, the forward pass, the grammar of constrained
//! decoding, and how the likelihood of a request is turned into a choice (`decide`). Weights are packed for the
//! processor (`packed`) and computed with by kernels chosen at run time (`kernels`). Knows nothing about
//! screens or tools beyond the texts it is handed.

mod attention;
mod cache;
mod decide;
#[cfg(test)]
mod fixture;
pub mod gguf;
mod grammar;
mod kernels;
mod network;
mod packed;
#[cfg(test)]
mod real;
#[cfg(test)]
mod reference;
mod rewrite;
pub mod tensor_type;
mod tokenizer;
mod weights;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::Value;

pub use kernels::Level;
pub use rewrite::{randomise, requantise};

use self::gguf::{Gguf, Reason};
use self::grammar::Grammars;
use self::kernels::Kernels;
use self::network::Network;
use self::tokenizer::Tokenizer;
use self::weights::{Shape, Weights};
use super::{Continuation, ContinuationScore, Message, ModelError, Result, Scorer, Speaker};

/// The bytes of a model file, owned or mapped.
pub type Source = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// What a model is, for tables and logs.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// The name the file gives itself.
    pub name: String,
    /// Storage type of most weights, e.g. `Q8_0`.
    pub storage: &'static str,
    pub file_bytes: u64,
    pub parameters: u64,
    pub context: usize,
}

/// A model that was loaded and can run.
pub struct LocalModel {
    facts: Facts,
    tokenizer: Arc<Tokenizer>,
    network: Network,
    grammars: Option<Grammars>,
}

impl LocalModel {
    /// Loads a GGUF file. `file` is what messages call it.
    ///
    /// # Errors
    /// [`ModelError::File`] when the file is damaged, or needs something that is not supported; the text names it.
    pub fn load(file: &str, source: Source) -> Result<Self> {
        Self::parse((*source).as_ref()).map_err(|reason| ModelError::File { file: file.to_string(), reason })
    }

    fn parse(bytes: &[u8]) -> std::result::Result<Self, Reason> {
        let file = Gguf::parse(bytes)?;
        let shape = Shape::from_gguf(&file)?;
        if Tokenizer::wants_begin_token(&file) {
            return Err("its texts begin with a special token, which is not supported".to_string());
        }
        let (weights, tokenizer) = rayon::join(|| Weights::from_gguf(&file, &shape), || Tokenizer::from_gguf(&file));
        let (weights, tokenizer) = (weights?, tokenizer?);
        if tokenizer.size() > shape.vocabulary {
            return Err(format!("it has {} tokens but embeds only {}", tokenizer.size(), shape.vocabulary));
        }
        let facts = Facts {
            name: file.text("general.name").unwrap_or("unnamed").to_string(),
            storage: most_used_type(&file),
            file_bytes: bytes.len() as u64,
            parameters: file.tensors().iter().map(|t| t.elements() as u64).sum(),
            context: shape.context,
        };
        Ok(LocalModel { facts, tokenizer: Arc::new(tokenizer), network: Network::new(shape, weights), grammars: None })
    }

    /// What the model is.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Which instructions it runs with.
    pub fn kernels(&self) -> Level {
        self.network.kernels.level()
    }

    /// Makes it run with certain instructions; `false`, and nothing changes, where the processor lacks them.
    pub fn use_kernels(&mut self, level: Level) -> bool {
        Kernels::at(level).map(|kernels| self.network.kernels = kernels).is_some()
    }

    /// Tokens of a text.
    pub fn tokens(&self, text: &str) -> Result<Vec<u32>> {
        self.tokenizer.encode(text).map_err(ModelError::Run)
    }

    /// Reads `tokens` from an empty cache (for benchmarks).
    pub fn prefill(&mut self, tokens: &[u32], stop: &AtomicBool) -> Result<()> {
        self.network.forget();
        self.network.logits_after(tokens, None, stop).map(drop)
    }

    /// Reads one more token after what was read last, as writing one does (for benchmarks).
    pub fn advance(&mut self, token: u32, stop: &AtomicBool) -> Result<()> {
        self.network.next(&[token], None, stop).map(drop)
    }

    /// Continues a text with the most likely tokens, at most so many.
    pub fn continue_text(&mut self, text: &str, max_tokens: usize, stop: &AtomicBool) -> Result<String> {
        let tokens = self.tokens(text)?;
        self.write(&tokens, max_tokens, stop)
    }

    /// Answers the last message of a conversation in words, at most so many tokens.
    ///
    /// # Errors
    /// [`ModelError::Run`] when the model has no markers for turns.
    pub fn answer(&mut self, messages: &[Message], max_tokens: usize, stop: &AtomicBool) -> Result<String> {
        let marker = |name: &str| {
            let missing = || ModelError::Run(format!("the model was not made for conversations (no {name})"));
            self.tokenizer.control(name).ok_or_else(missing)
        };
        let (start, end) = (marker("<|im_start|>")?, marker("<|im_end|>")?);
        let mut tokens = Vec::new();
        for message in messages {
            let role = match message.role {
                Speaker::System => "system",
                Speaker::User => "user",
                Speaker::Assistant => "assistant",
                Speaker::Tool => "tool",
            };
            tokens.push(start);
            tokens.extend(self.tokens(&format!("{role}\n{}", message.content))?);
            tokens.push(end);
            tokens.extend(self.tokens("\n")?);
        }
        tokens.push(start);
        tokens.extend(self.tokens("assistant\n")?);
        self.write(&tokens, max_tokens, stop)
    }

    fn write(&mut self, prompt: &[u32], max_tokens: usize, stop: &AtomicBool) -> Result<String> {
        let mut logits = self.network.logits_after(prompt, None, stop)?;
        let mut written = Vec::with_capacity(max_tokens);
        while written.len() < max_tokens {
            let Some(token) = best((0u32..).zip(logits).take(self.tokenizer.size())) else { break };
            if self.tokenizer.is_control(token) {
                break;
            }
            written.push(token);
            logits = self.network.next(&[token], None, stop)?;
        }
        Ok(self.tokenizer.decode(&written))
    }
}

impl Scorer for LocalModel {
    fn score(&mut self, prefix: &str, items: &[Continuation], stop: &AtomicBool) -> Result<Vec<ContinuationScore>> {
        // A word's leading space belongs to its token, so spaces at the end of a piece go to the next one.
        let (prefix, gap) = split_spaces(prefix);
        let prefix = self.tokens(prefix)?;
        let mut sequences = Vec::with_capacity(items.len());
        for item in items {
            let (context, next_gap) = split_spaces(&item.context);
            let mut tokens = if context.is_empty() { Vec::new() } else { self.tokens(&format!("{gap}{context}"))? };
            let start = tokens.len();
            let lead = if context.is_empty() { format!("{gap}{next_gap}") } else { next_gap.to_string() };
            tokens.extend(self.tokens(&format!("{lead}{}", item.text))?);
            sequences.push((tokens, start));
        }
        // The first scored token must have a token before it; the last one of the prefix serves where there is no
        // context of its own.
        let mut prefix = prefix;
        if sequences.iter().any(|(_, start)| *start == 0) {
            let last = prefix.pop().ok_or_else(|| ModelError::Run("a text without anything before it".into()))?;
            for (tokens, start) in &mut sequences {
                tokens.insert(0, last);
                *start += 1;
            }
        }
        self.network.keep(&prefix, stop)?;
        let logs = self.network.score(&sequences, stop)?;
        Ok(logs.iter().map(|l| ContinuationScore { logprob: l.iter().sum(), tokens: l.len() }).collect())
    }

    fn generate_json(&mut self, prompt: &str, schema: &Value, max_tokens: usize, stop: &AtomicBool) -> Result<Value> {
        let grammars = match &self.grammars {
            Some(grammars) => grammars,
            None => self.grammars.insert(Grammars::new(self.tokenizer.clone(), self.network.shape().vocabulary)?),
        };
        let prompt = self.tokenizer.encode(prompt).map_err(ModelError::Run)?;
        grammars.write_json(&mut self.network, &prompt, schema, max_tokens, stop)
    }
}

/// The text without the spaces at its end, and those spaces.
fn split_spaces(text: &str) -> (&str, &str) {
    text.split_at(text.trim_end_matches(' ').len())
}

/// The token with the largest value; the first of equals.
fn best(values: impl Iterator<Item = (u32, f32)>) -> Option<u32> {
    let best = values.fold(None, |best: Option<(u32, f32)>, (token, v)| match best {
        Some((_, most)) if v <= most => best,
        Some(_) | None => Some((token, v)),
    });
    best.map(|(token, _)| token)
}

/// The storage type that holds most weights.
fn most_used_type(file: &Gguf) -> &'static str {
    let mut sums = std::collections::HashMap::new();
    for tensor in file.tensors() {
        *sums.entry(tensor.kind).or_insert(0usize) += tensor.elements();
    }
    sums.into_iter().max_by_key(|(_, n)| *n).map_or("none", |(kind, _)| kind.name())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::tensor_type::TensorType;
    use super::*;

    fn go() -> AtomicBool {
        AtomicBool::new(false)
    }

    fn load(bytes: Vec<u8>) -> Result<LocalModel> {
        LocalModel::load("test.gguf", Arc::new(bytes))
    }

    fn refusal(bytes: Vec<u8>) -> String {
        match load(bytes) {
            Ok(_) => panic!("the file was accepted"),
            Err(error) => error.to_string(),
        }
    }

    /// Whatever such a file leads to, it must not be a crash.
    fn use_it(bytes: Vec<u8>) {
        if let Ok(mut model) = load(bytes) {
            let item = Continuation { context: "the ".into(), text: "thin 客".into() };
            let _ = model.score("in the", &[item], &go());
            let _ = model.continue_text("in", 3, &go());
            let schema = serde_json::json!({ "enum": ["a", "b"] });
            let _ = model.generate_json("in", &schema, 10, &go());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

        #[test]
        fn a_tampered_file_never_crashes(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
            in_header in any::<bool>(),
        ) {
            let mut bytes = fixture::file(TensorType::Q8_0);
            // Most of the file is weights; half of the cases go for header and table.
            let end = if in_header { bytes.len() / 8 } else { bytes.len() };
            for (at, value) in changes {
                bytes[at.index(end)] = value;
            }
            use_it(bytes);
        }

        #[test]
        fn a_flipped_bit_never_crashes(at in any::<prop::sample::Index>(), bit in 0..8u32) {
            let mut bytes = fixture::file(TensorType::F32);
            let header = bytes.len() / 16;
            bytes[at.index(header)] ^= 1u8 << bit;
            use_it(bytes);
        }

        #[test]
        fn a_cut_file_never_crashes(len in any::<prop::sample::Index>()) {
            let mut bytes = fixture::file(TensorType::Q8_0);
            bytes.truncate(len.index(bytes.len()));
            use_it(bytes);
        }
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said() {
        assert!(refusal(b"no model".to_vec()).contains("test.gguf"));
        let other = refusal(fixture::file_with(fixture::header("mamba"), TensorType::F32));
        assert!(other.contains("mamba") && other.contains("supported: llama"), "{other}");
        let deeper = fixture::header("llama").number("llama.rope.dimension_count", 8);
        assert!(refusal(fixture::file_with(deeper, TensorType::F32)).contains("rotary"));
        let scaled = fixture::header("llama").text("llama.rope.scaling.type", "yarn");
        assert!(refusal(fixture::file_with(scaled, TensorType::F32)).contains("scaled"));
    }

    #[test]
    fn a_missing_misshapen_or_unknown_tensor_is_named() {
        let bytes = fixture::file(TensorType::F32);
        let renamed = |from: &[u8], to: &[u8]| {
            let mut bytes = bytes.clone();
            let at = bytes.windows(from.len()).position(|w| w == from).unwrap();
            bytes[at..at + to.len()].copy_from_slice(to);
            refusal(bytes)
        };
        assert!(renamed(b"blk.1.ffn_up", b"blk.9.ffn_up").contains("\"blk.1.ffn_up.weight\" is missing"));
        let file = Gguf::parse(&bytes).unwrap();
        let mut tensors: Vec<_> =
            file.tensors().iter().map(|t| (t.name, &t.dims[..t.rank], t.kind, t.data.to_vec())).collect();
        tensors.push(("blk.0.attn_q.bias", &[64], TensorType::F32, vec![0; 256]));
        assert!(refusal(file.rewrite(&tensors)).contains("attn_q.bias"));
    }

    #[test]
    fn every_storage_type_that_fits_can_run() {
        let wanted = fixture::model().continue_text("in the", 1, &go()).unwrap();
        for kind in [TensorType::F16, TensorType::Bf16, TensorType::Q8_0] {
            let mut model = load(fixture::file(kind)).unwrap();
            assert_eq!(model.facts().storage, kind.name());
            assert_eq!(model.continue_text("in the", 1, &go()).unwrap(), wanted, "{}", kind.name());
        }
    }

    #[test]
    fn spaces_between_the_pieces_belong_to_the_following_word() {
        let mut model = fixture::model();
        let mut score = |prefix: &str, context: &str, text: &str| {
            let item = Continuation { context: context.into(), text: text.into() };
            model.score(prefix, &[item], &go()).unwrap()[0]
        };
        let wanted = score("in", " the", " the");
        assert_eq!(wanted.tokens, 1);
        for (prefix, context, text) in [("in ", "the ", "the"), ("in", " the ", "the"), ("in ", "the", " the")] {
            let got = score(prefix, context, text);
            assert_eq!(got.tokens, 1);
            assert!((got.logprob - wanted.logprob).abs() < 1e-4, "{prefix:?} {context:?} {text:?}");
        }
        assert_eq!(score("in the ", "", "the").tokens, 1);
    }

    #[test]
    fn a_text_with_nothing_before_it_is_an_error() {
        let item = Continuation { context: String::new(), text: "the".into() };
        assert!(matches!(fixture::model().score("", &[item], &go()), Err(ModelError::Run(_))));
    }

    #[test]
    fn scores_come_in_the_order_of_the_items() {
        let mut model = fixture::model();
        let texts = ["the", "in the thin", "客户", "a"];
        let items: Vec<_> = texts.map(|t| Continuation { context: "x:".into(), text: t.into() }).into_iter().collect();
        let together = model.score("begin ", &items, &go()).unwrap();
        for (item, score) in items.into_iter().zip(together) {
            let alone = model.score("begin ", &[item], &go()).unwrap()[0];
            assert_eq!(alone.tokens, score.tokens);
            assert!((alone.logprob - score.logprob).abs() < 1e-3);
        }
    }

    #[test]
    fn a_conversation_is_answered_in_turns() {
        let mut model = fixture::model();
        let message = Message { role: Speaker::User, content: "in <|im_end|>".into(), call: None };
        let answer = model.answer(&[message], 5, &go()).unwrap();
        assert!(!answer.contains("<|im"), "{answer}");
    }
}
