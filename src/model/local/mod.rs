//! The embedded GGUF model: one file in, likelihoods, choices and constrained text out.
//!
//! Owns: the container (`gguf`), the weights, the vocabulary, the forward pass, the grammar of constrained
//! decoding, and how the likelihood of a request is turned into a choice (`decide`). Knows nothing about
//! screens or tools beyond the texts it is handed.

mod decide;
pub mod gguf;
mod grammar;
mod network;
mod rewrite;
pub mod tensor_type;
mod tokenizer;
mod weights;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::Value;

pub use rewrite::{randomise, requantise};

use self::gguf::{Gguf, Reason};
use self::grammar::Grammars;
use self::network::Network;
use self::tokenizer::Tokenizer;
use self::weights::{Shape, Weights};
use super::{Continuation, ContinuationScore, ModelError, Result, Scorer};

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
        let (weights, tokenizer) =
            rayon::join(|| Weights::from_gguf(&file, &shape), || Tokenizer::from_gguf(&file));
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

    /// Tokens of a text.
    pub fn tokens(&self, text: &str) -> Result<Vec<u32>> {
        self.tokenizer.encode(text).map_err(ModelError::Run)
    }

    /// Reads `tokens` from an empty cache and returns how many went through the network (for benchmarks).
    pub fn prefill(&mut self, tokens: &[u32], stop: &AtomicBool) -> Result<usize> {
        self.network.forget();
        let before = self.network.tokens;
        self.network.logits_after(tokens, stop)?;
        Ok(self.network.tokens - before)
    }

    /// Writes the most likely text after what was read last, one token at a time (for benchmarks and tests).
    pub fn continue_greedily(&mut self, prompt: &str, tokens: usize, stop: &AtomicBool) -> Result<String> {
        let prompt = self.tokens(prompt)?;
        let mut logits = self.network.logits_after(&prompt, stop)?;
        let mut out = Vec::with_capacity(tokens);
        while out.len() < tokens {
            let Some(best) = best(logits.iter().copied().enumerate().take(self.tokenizer.size())) else { break };
            if best == self.tokenizer.end_of_turn() {
                break;
            }
            out.push(best);
            logits = self.network.next(&[best], stop)?;
        }
        Ok(self.tokenizer.decode(&out))
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

/// The index with the largest value; the first of equals.
fn best(values: impl Iterator<Item = (usize, f32)>) -> Option<u32> {
    let best = values.fold(None, |best: Option<(usize, f32)>, (i, v)| match best {
        Some((_, most)) if v <= most => best,
        Some(_) | None => Some((i, v)),
    });
    best.and_then(|(i, _)| u32::try_from(i).ok())
}

/// The storage type that holds most weights.
fn most_used_type(file: &Gguf) -> &'static str {
    let mut sums = std::collections::HashMap::new();
    for tensor in file.tensors() {
        *sums.entry(tensor.kind).or_insert(0usize) += tensor.elements();
    }
    sums.into_iter().max_by_key(|(_, n)| *n).map_or("none", |(kind, _)| kind.name())
}
