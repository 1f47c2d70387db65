//! What the pinned model itself can do: evidence that the forward pass is right, and that the weights decide.
//!
//! `DESKHAND_MODELS` names the folder with the model (`make test` sets it).

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};

use serde_json::json;

use super::gguf::Gguf;
use super::reference::Reference;
use super::tensor_type::TensorType;
use super::{Level, LocalModel, randomise, requantise};
use crate::model::{ActionOption, ChatModel, Continuation, Message, Scorer, Speaker, Turn};
use crate::scene::ToolCall;

static MODEL: LazyLock<Mutex<LocalModel>> = LazyLock::new(|| Mutex::new(load(&path())));

fn path() -> PathBuf {
    let folder = std::env::var_os("DESKHAND_MODELS").expect("DESKHAND_MODELS must name the folder of the models");
    let entries = std::fs::read_dir(&folder).expect("the folder of the models can be read");
    let mut files = entries.map(|entry| entry.expect("an entry of the folder").path());
    files.find(|path| path.extension().is_some_and(|e| e == "gguf")).expect("a GGUF file among the models")
}

fn load(path: &Path) -> LocalModel {
    LocalModel::load("real", Arc::new(std::fs::read(path).unwrap())).unwrap()
}

fn model() -> MutexGuard<'static, LocalModel> {
    MODEL.lock().unwrap()
}

fn go() -> AtomicBool {
    AtomicBool::new(false)
}

#[test]
fn the_capital_of_france_is_paris() {
    let text = model().continue_text("The capital of France is", 8, &go()).unwrap();
    assert!(text.contains("Paris"), "{text}");
}

#[test]
fn plain_english_does_not_surprise_it() {
    let text = " characterized by the use of steam power, the growth of factories, and the mass production of \
                manufactured goods. It began in Great Britain and spread to the rest of Europe and to America.";
    let item = Continuation { context: String::new(), text: text.into() };
    let score = model().score("The Industrial Revolution was", &[item], &go()).unwrap()[0];
    let perplexity = (-score.logprob / score.tokens as f32).exp();
    assert!(perplexity < 15.0, "{perplexity}");
}

#[test]
fn a_question_in_its_chat_format_is_answered() {
    let message = Message { role: Speaker::User, content: "What is the capital of Italy?".into(), call: None };
    let answer = model().answer(&[message], 40, &go()).unwrap();
    assert!(answer.contains("Rome"), "{answer}");
}

#[test]
fn text_survives_the_real_vocabulary() {
    let model = model();
    for text in ["Sample Ltd, 12.50 €", "在数量中输入 12，然后保存。", "naïve café\n\tx\u{1F600} ①"] {
        assert_eq!(model.tokenizer.decode(&model.tokens(text).unwrap()), text);
    }
}

#[test]
fn an_argument_is_written_under_its_schema() {
    let schema = json!({
        "type": "object",
        "properties": { "field": { "const": "Customer name" }, "text": { "type": "string", "maxLength": 40 } },
        "required": ["field", "text"],
        "additionalProperties": false,
    });
    let prompt = "Request: Enter Blue Lake as the supplier\nArguments: {\"field\":\"Supplier\",\"text\":\"Blue Lake\"}\n\
                  Request: Enter Sample Ltd as the customer name\nArguments: ";
    let value = model().generate_json(prompt, &schema, 60, &go()).unwrap();
    assert_eq!(value["field"], "Customer name");
    // It copies the first word and then often goes astray: what a sentence names is better taken from the sentence.
    assert!(value["text"].as_str().is_some_and(|text| text.starts_with("Sample")), "{value}");
}

/// How far from the reference on the same file the logits after each token of a text are (root of the mean square), and
/// after how many of them the same token is the likeliest.
fn against_reference(file: &Path, tokens: usize) -> (f64, usize) {
    let mut model = load(file);
    let text = include_str!("network.rs");
    let tokens = model.tokens(text).unwrap()[..tokens].to_vec();
    let bytes = std::fs::read(file).unwrap();
    let wanted = Reference::from_gguf(&Gguf::parse(&bytes).unwrap()).logits(&tokens, 0);
    let likeliest = |row: &[f32]| super::best((0u32..).zip(row.iter().copied())).unwrap();
    let (mut square, mut same) = (0.0, 0);
    for (i, wanted) in wanted.iter().enumerate() {
        let got = model.network.logits_after(&tokens[..=i], None, &go()).unwrap();
        square += got.iter().zip(wanted).map(|(g, w)| f64::from(g - w).powi(2)).sum::<f64>() / got.len() as f64;
        same += usize::from(likeliest(&got) == likeliest(wanted));
    }
    ((square / tokens.len() as f64).sqrt(), same)
}

fn halves(folder: &Path) -> PathBuf {
    let halves = folder.join("halves.gguf");
    requantise(&path(), &halves, TensorType::F16).unwrap();
    halves
}

#[test]
fn the_likeliest_next_token_is_that_of_the_reference() {
    let folder = tempfile::tempdir().unwrap();
    let (rms, same) = against_reference(&halves(folder.path()), 48);
    println!("F16: {same} of 48, rms {rms:.4}");
    assert!(same >= 47 && rms < 0.02, "{same} of 48, {rms}");
    let (rms, same) = against_reference(&path(), 48);
    println!("as it comes: {same} of 48, rms {rms:.4}");
    assert!(same >= 40 && rms < 0.35, "{same} of 48, {rms}");
}

#[test]
#[ignore = "takes minutes"]
fn the_likeliest_next_token_of_500_is_that_of_the_reference() {
    let folder = tempfile::tempdir().unwrap();
    let (rms, same) = against_reference(&halves(folder.path()), 500);
    println!("F16: {same} of 500, rms {rms:.4}");
    assert!(same >= 495, "{same} of 500, {rms}");
}

#[test]
fn all_kernels_write_the_same() {
    let mut model = model();
    let best = model.kernels();
    let texts = Level::available().into_iter().map(|level| {
        assert!(model.use_kernels(level));
        model.network.forget();
        (level, model.continue_text("A good way to sort letters is", 16, &go()).unwrap())
    });
    let texts: Vec<_> = texts.collect();
    assert!(model.use_kernels(best));
    assert!(texts.iter().all(|(_, text)| *text == texts[0].1), "{texts:?}");
}

/// Requests whose words do not all stand on the screen, and the action each means.
const CASES: [(&str, &str); 8] = [
    ("Close without saving", "click the button \"Don't save\""),
    ("Reply to everybody", "click the button \"Reply all\""),
    ("Save it under another name", "click the button \"Save as\""),
    ("Log in", "click the button \"Sign in\""),
    ("My surname is Kowalski", "type \"Kowalski\" into the field \"Last name\""),
    ("The zip is Kowalski", "type \"Kowalski\" into the field \"Postal code\""),
    ("Write Kowalski in the notes", "type \"Kowalski\" into the field \"Remarks\""),
    ("把它打印出来", "click the button \"打印\""),
];

fn right(model: &mut LocalModel) -> usize {
    let option = |phrase: &str| ActionOption {
        call: ToolCall::new("click", json!({})),
        phrase: phrase.into(),
        prior: 0.0,
        open: None,
    };
    let decide = |case: &&(&str, &str)| {
        let turn = Turn {
            messages: Vec::new(),
            tools: Vec::new(),
            request: case.0.into(),
            channel_prefix: "Action: click the button \"Print\"\nRequest: Print the page\n\
                Action: type \"Berlin\" into the field \"Town\"\nRequest: Enter Berlin as the town\n\
                Action: click the button \"删除\"\nRequest: 把它删掉\nAction: "
                .into(),
            channel_separator: "\nRequest: ".into(),
            options: CASES.iter().map(|(_, phrase)| option(phrase)).collect(),
        };
        model.decide(&turn, &go()).unwrap().scores[0].phrase == case.1
    };
    CASES.iter().filter(decide).count()
}

#[test]
fn the_weights_decide_and_random_ones_do_not() {
    let with_real_weights = right(&mut model());
    let folder = tempfile::tempdir().unwrap();
    let random = folder.path().join("random.gguf");
    randomise(&path(), &random, 1).unwrap();
    let with_random_weights = right(&mut load(&random));
    assert!(with_real_weights >= 6, "{with_real_weights} of {}", CASES.len());
    assert!(with_random_weights <= 3, "{with_random_weights} of {}", CASES.len());
}
