//! Decoding under a grammar: the model writes JSON that a schema allows, and nothing else.
//!
//! llguidance keeps the state of the grammar and says which tokens may follow; where only one text can follow,
//! its tokens are taken without asking the network, and pass through it together with the next real choice.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use llguidance::api::{ParserLimits, TopLevelGrammar};
use llguidance::toktrie::{InferenceCapabilities, TokEnv, TokRxInfo, TokTrie, TokenId, TokenizerEnv};
use llguidance::{Matcher, ParserFactory};
use serde_json::{Value, json};

use super::best;
use super::network::Network;
use super::tokenizer::Tokenizer;
use crate::model::{ModelError, Result};

/// Our vocabulary in the form llguidance wants.
struct Vocabulary {
    tokenizer: Arc<Tokenizer>,
    trie: TokTrie,
}

impl TokenizerEnv for Vocabulary {
    fn tok_trie(&self) -> &TokTrie {
        &self.trie
    }

    fn tokenize_bytes(&self, bytes: &[u8]) -> Vec<TokenId> {
        self.trie.tokenize_with_greedy_fallback(bytes, |text| match self.tokenizer.encode(text) {
            Ok(tokens) => tokens,
            Err(_) => self.trie.greedy_tokenize(text.as_bytes()),
        })
    }
}

/// Compiles schemas and decodes under them.
pub struct Grammars {
    factory: ParserFactory,
    tokenizer: Arc<Tokenizer>,
}

impl Grammars {
    /// `logits` is how many the network gives, which may be more than there are tokens.
    pub fn new(tokenizer: Arc<Tokenizer>, logits: usize) -> Result<Self> {
        let size = u32::try_from(logits).map_err(|_| ModelError::Grammar("the vocabulary is too large".into()))?;
        let words: Vec<Vec<u8>> = (0..size)
            .map(|token| {
                if tokenizer.is_control(token) {
                    let mut marked = vec![TokTrie::SPECIAL_TOKEN_MARKER];
                    marked.extend_from_slice(tokenizer.piece(token));
                    marked
                } else {
                    tokenizer.piece(token).to_vec()
                }
            })
            .collect();
        let info = TokRxInfo::new(size, tokenizer.end_of_turn());
        let trie = TokTrie::from(&info, &words);
        let env: TokEnv = Arc::new(Vocabulary { tokenizer: tokenizer.clone(), trie });
        let capabilities = InferenceCapabilities { ff_tokens: true, ..InferenceCapabilities::default() };
        let slices = llguidance::earley::SlicedBiasComputer::general_slices();
        let mut factory = ParserFactory::new(&env, capabilities, &slices).map_err(grammar)?;
        factory.quiet();
        *factory.limits_mut() = ParserLimits { verbose_errors: false, ..ParserLimits::default() };
        Ok(Grammars { factory, tokenizer })
    }

    /// Continues `prompt` with the most likely value that the schema allows.
    pub fn write_json(
        &self,
        network: &mut Network,
        prompt: &[u32],
        schema: &Value,
        max_tokens: usize,
        stop: &AtomicBool,
    ) -> Result<Value> {
        let mut schema = schema.clone();
        let Value::Object(fields) = &mut schema else {
            return Err(ModelError::Grammar("a schema must be an object".into()));
        };
        fields.insert("x-guidance".into(), json!({ "whitespace_flexible": false }));
        let parser = self.factory.create_parser(TopLevelGrammar::from_json_schema(schema)).map_err(grammar)?;
        let mut matcher = Matcher::new(Ok(parser));
        let mut written: Vec<u32> = Vec::new();
        // What the network has not read yet: the prompt first, later the forced tokens and the last choice.
        let mut unread: Vec<u32> = prompt.to_vec();
        let mut fresh = true;
        while !matcher.is_stopped() {
            let forced = matcher.consume_ff_tokens();
            written.extend_from_slice(&forced);
            unread.extend_from_slice(&forced);
            if matcher.is_stopped() {
                break;
            }
            if written.len() >= max_tokens {
                return Err(ModelError::Run(format!("the answer was not complete after {max_tokens} tokens")));
            }
            let mask = matcher.compute_mask_or_eos().map_err(grammar)?;
            let may_follow = |token| mask.is_allowed(token);
            let logits = if fresh {
                network.logits_after(&unread, Some(&may_follow), stop)?
            } else {
                network.next(&unread, Some(&may_follow), stop)?
            };
            fresh = false;
            unread.clear();
            let allowed = (0u32..).zip(logits).filter(|(token, _)| mask.is_allowed(*token));
            let token = best(allowed).ok_or_else(|| ModelError::Grammar("no token can follow".into()))?;
            if token == self.tokenizer.end_of_turn() {
                break;
            }
            matcher.consume_token(token).map_err(grammar)?;
            written.push(token);
            unread.push(token);
        }
        if let Some(error) = matcher.get_error() {
            return Err(ModelError::Grammar(error));
        }
        serde_json::from_slice(&self.tokenizer.bytes(&written))
            .map_err(|e| ModelError::Run(format!("the answer is no JSON: {e}")))
    }
}

fn grammar(error: impl std::fmt::Display) -> ModelError {
    ModelError::Grammar(error.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::fixture;
    use crate::model::{ModelError, Scorer};
    use std::sync::atomic::AtomicBool;

    fn write(schema: Value) -> (crate::model::Result<Value>, usize) {
        let mut model = fixture::model();
        let value = model.generate_json("in the beginning", &schema, 200, &AtomicBool::new(false));
        (value, model.network.passes)
    }

    #[test]
    fn what_is_written_fits_the_schema() {
        let schema = json!({
            "type": "object",
            "properties": {
                "element": { "const": "结算方式" },
                "kind": { "enum": ["left", "right", "middle"] },
                "times": { "type": "integer", "minimum": 1, "maximum": 99 },
                "text": { "type": "string", "maxLength": 12 },
            },
            "required": ["element", "kind", "times", "text"],
            "additionalProperties": false,
        });
        let value = write(schema.clone()).0.unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        assert!(validator.is_valid(&value), "{value}");
        assert_eq!(value["element"], "结算方式");
    }

    #[test]
    fn what_the_grammar_forces_costs_no_pass() {
        let schema = json!({
            "type": "object",
            "properties": { "element": { "const": "Save" }, "button": { "const": "left" } },
            "required": ["element", "button"],
            "additionalProperties": false,
        });
        let (value, passes) = write(schema);
        assert_eq!(value.unwrap(), json!({ "element": "Save", "button": "left" }));
        // At most the end is a choice.
        assert!(passes <= 1, "{passes} passes");
    }

    #[test]
    fn a_schema_that_cannot_be_met_is_an_error() {
        let (value, _) = write(json!({ "type": "string", "minLength": 5, "maxLength": 2 }));
        assert!(matches!(value, Err(ModelError::Grammar(_))), "{value:?}");
        let (value, _) = write(json!("string"));
        assert!(matches!(value, Err(ModelError::Grammar(_))), "{value:?}");
    }

    #[test]
    fn an_answer_that_does_not_end_is_cut_off_with_an_error() {
        let (value, _) = write(json!({ "type": "string", "minLength": 500 }));
        assert!(matches!(value, Err(ModelError::Run(_))), "{value:?}");
    }
}
