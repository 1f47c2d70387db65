//! Text to tokens and back, from the vocabulary inside the GGUF file.
//!
//! Text is plain text: what looks like a control token (`<|im_start|>`) in a user's sentence or on the screen is
//! split into ordinary pieces. Control tokens are asked for by name with [`Tokenizer::control`].

use std::collections::HashMap;

use tokenizers::models::bpe::BPE;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::digits::Digits;
use tokenizers::pre_tokenizers::sequence::Sequence;

use super::gguf::{Gguf, Reason, Value};

/// Token types in the file that are never part of running text: control and user-defined tokens.
const CONTROL_KINDS: [i64; 2] = [3, 4];

/// No token of a real vocabulary is longer (the longest are runs of spaces); the trie of the grammar has a limit.
const LONGEST_TOKEN: usize = 512;

/// The vocabulary and how text is cut into it.
pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    /// The bytes each token stands for; of a control token, its name.
    pieces: Vec<Vec<u8>>,
    control: HashMap<String, u32>,
    is_control: Vec<bool>,
    end_of_turn: u32,
}

impl Tokenizer {
    /// Builds the tokenizer from the header facts `tokenizer.ggml.*`.
    pub fn from_gguf(file: &Gguf) -> Result<Self, Reason> {
        let model = file.text("tokenizer.ggml.model")?;
        if model != "gpt2" {
            return Err(format!("its tokenizer is of the kind {model:?} (supported: gpt2, that is byte-level BPE)"));
        }
        let pre = file.text("tokenizer.ggml.pre")?;
        if pre != "smollm" {
            return Err(format!("its tokenizer cuts text by the rules {pre:?} (supported: smollm)"));
        }
        let tokens = file.array("tokenizer.ggml.tokens")?.texts()?;
        let kinds = file.array("tokenizer.ggml.token_type")?.integers()?;
        if kinds.len() != tokens.len() {
            return Err(format!("{} tokens have {} types", tokens.len(), kinds.len()));
        }
        let end_of_turn = u32::try_from(file.unsigned("tokenizer.ggml.eos_token_id")?)
            .ok()
            .filter(|id| (*id as usize) < tokens.len())
            .ok_or("the end token is not in the vocabulary")?;

        let bytes_of = byte_letters();
        let mut pieces = Vec::with_capacity(tokens.len());
        let mut vocabulary = Vec::with_capacity(tokens.len());
        let mut control = HashMap::new();
        let mut is_control = Vec::with_capacity(tokens.len());
        if let Some(long) = tokens.iter().find(|t| t.len() > LONGEST_TOKEN) {
            return Err(format!("a token of its vocabulary is {} bytes long", long.len()));
        }
        for ((id, token), kind) in (0u32..).zip(&tokens).zip(&kinds) {
            let controls = CONTROL_KINDS.contains(kind);
            is_control.push(controls);
            if controls {
                control.insert(token.to_string(), id);
                pieces.push(token.as_bytes().to_vec());
            } else {
                pieces.push(token.chars().filter_map(|c| bytes_of.get(&c).copied()).collect());
            }
            vocabulary.push((token.to_string(), id));
        }
        let merges = file.array("tokenizer.ggml.merges")?.texts()?;
        let merges = merges
            .into_iter()
            .map(|m| m.split_once(' ').map(|(a, b)| (a.to_string(), b.to_string())))
            .collect::<Option<Vec<_>>>()
            .ok_or("a merge of its tokenizer does not consist of two pieces")?;
        let vocabulary: tokenizers::models::bpe::Vocab = vocabulary.into_iter().collect();
        if vocabulary.len() != tokens.len() {
            return Err("a token occurs twice in its vocabulary".to_string());
        }
        let bpe = BPE::builder()
            .vocab_and_merges(vocabulary, merges)
            .build()
            .map_err(|e| format!("its tokenizer is damaged: {e}"))?;
        let mut inner = tokenizers::Tokenizer::new(bpe);
        // "smollm": every digit on its own, then the classic word pattern on bytes.
        inner.with_pre_tokenizer(Some(Sequence::new(vec![
            Digits::new(true).into(),
            ByteLevel::new(false, false, true).into(),
        ])));
        Ok(Tokenizer { inner, pieces, control, is_control, end_of_turn })
    }

    /// Number of tokens in the vocabulary.
    pub fn size(&self) -> usize {
        self.pieces.len()
    }

    /// The tokens of a text. Bytes that the vocabulary lacks (some control characters) are left out.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, Reason> {
        let encoding = self.inner.encode_fast(text, false).map_err(|e| format!("cannot tokenise: {e}"))?;
        Ok(encoding.get_ids().to_vec())
    }

    /// The text of tokens; bytes that are not UTF-8 become U+FFFD, control tokens their names.
    pub fn decode(&self, tokens: &[u32]) -> String {
        String::from_utf8_lossy(&self.bytes(tokens)).into_owned()
    }

    /// The bytes of tokens.
    pub fn bytes(&self, tokens: &[u32]) -> Vec<u8> {
        tokens.iter().flat_map(|t| self.piece(*t)).copied().collect()
    }

    /// The bytes of one token; empty for a number outside the vocabulary.
    pub fn piece(&self, token: u32) -> &[u8] {
        self.pieces.get(token as usize).map(Vec::as_slice).unwrap_or_default()
    }

    /// A control token by name.
    pub fn control(&self, name: &str) -> Option<u32> {
        self.control.get(name).copied()
    }

    /// Whether this token steers the model instead of being text.
    pub fn is_control(&self, token: u32) -> bool {
        self.is_control.get(token as usize).copied().unwrap_or(true)
    }

    /// The token that ends a turn.
    pub fn end_of_turn(&self) -> u32 {
        self.end_of_turn
    }

    /// Whether a fact of the file asks for a token before every text.
    pub fn wants_begin_token(file: &Gguf) -> bool {
        file.fact("tokenizer.ggml.add_bos_token") == Some(Value::Bool(true))
    }
}

/// The letters that stand for bytes in a byte-level vocabulary: printable bytes stand for themselves, the others
/// for the letters from U+0100 on, in order.
fn byte_letters() -> HashMap<char, u8> {
    let mut letters = HashMap::with_capacity(256);
    let mut next = 0x100u32;
    for byte in 0..=255u8 {
        let letter = match byte {
            b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF => Some(char::from(byte)),
            _ => {
                let letter = char::from_u32(next);
                next += 1;
                letter
            }
        };
        if let Some(letter) = letter {
            letters.insert(letter, byte);
        }
    }
    letters
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::fixture;
    use super::super::tensor_type::TensorType;
    use super::*;

    fn tokenizer() -> Tokenizer {
        let bytes = fixture::file(TensorType::F32);
        Tokenizer::from_gguf(&Gguf::parse(&bytes).unwrap()).unwrap()
    }

    fn pieces(text: &str) -> Vec<String> {
        let tokenizer = tokenizer();
        let tokens = tokenizer.encode(text).unwrap();
        tokens.iter().map(|t| tokenizer.decode(&[*t])).collect()
    }

    proptest! {
        #[test]
        fn any_text_survives_the_round_trip(text in "\\PC*|[\\x00-\\x7f]*|[一-鿿，。！a-z 0-9]*") {
            let tokenizer = tokenizer();
            let tokens = tokenizer.encode(&text).unwrap();
            prop_assert_eq!(tokenizer.decode(&tokens), text);
        }
    }

    #[test]
    fn merges_apply_and_digits_stand_alone() {
        assert_eq!(pieces("the the2026"), ["the", " the", "2", "0", "2", "6"]);
    }

    #[test]
    fn control_tokens_in_a_text_are_only_text() {
        let tokenizer = tokenizer();
        let tokens = tokenizer.encode("a<|im_start|>system").unwrap();
        assert!(tokens.iter().all(|t| !tokenizer.is_control(*t)));
        assert_eq!(tokenizer.decode(&tokens), "a<|im_start|>system");
        assert_eq!(tokenizer.control("<|im_start|>"), Some(1));
        assert!(tokenizer.is_control(1));
    }

    #[test]
    fn a_token_outside_the_vocabulary_is_no_text() {
        assert_eq!(tokenizer().decode(&[1_000_000]), "");
    }

    #[test]
    fn another_kind_of_vocabulary_is_refused_by_name() {
        let mut bytes = fixture::file(TensorType::F32);
        let at = bytes.windows(6).position(|w| w == b"smollm").unwrap();
        bytes[at..at + 6].copy_from_slice(b"qwen-2");
        let error = Tokenizer::from_gguf(&Gguf::parse(&bytes).unwrap()).err().unwrap();
        assert!(error.contains("qwen-2") && error.contains("smollm"), "{error}");
    }
}
