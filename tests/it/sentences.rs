//! Sentences: what `run` does on a real window, and how often the single-step suite is right, with the model's own
//! weights and with random ones.

use serde_json::{Value, json};

use deskhand::agent;
use deskhand::desktop::StopSignal;
use deskhand::model::local::{LocalModel, randomise};
use deskhand::model::{ChatModel, Reply};
use deskhand::payload::{Payload, PayloadBytes, names};
use deskhand::scene::{CaptureId, Element, Role, Scene};
use deskhand::tools::target_of;

use crate::support::{Display, exe, records, text, told};

/// Carries out sentences one after the other and gives the fields' values afterwards, by label.
fn carry_out(lang: &str, seed: u32, sentences: &[&str]) -> (Vec<(String, String)>, Vec<Value>) {
    let display = Display::start();
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("saved.jsonl");
    let _practice = display.practice(lang, seed, &log);
    for (n, sentence) in sentences.iter().enumerate() {
        let run_dir = folder.path().join(format!("run{n}"));
        let output =
            display.deskhand(&["run", sentence, "--approve", "always", "--run-dir", run_dir.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(0), "{sentence}: {}", told(&output));
        let steps = std::fs::read_to_string(run_dir.join("log.jsonl")).unwrap();
        for step in steps.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
            assert!(step["model"]["options"][0]["model"].is_number(), "every choice has the model's score: {step}");
        }
    }
    let seen = display.deskhand(&["see", "--json"]);
    let scene: Value = serde_json::from_slice(&seen.stdout).unwrap_or_else(|e| panic!("{e}: {}", text(&seen.stdout)));
    let fields = scene["elements"].as_array().unwrap().iter().filter(|e| e["value"].is_string());
    let value = |e: &Value, key: &str| e[key].as_str().unwrap_or_default().to_string();
    (fields.map(|e| (value(e, "label"), value(e, "value"))).collect(), records(&log))
}

fn holds(fields: &[(String, String)], label: &str, value: &str) {
    assert!(fields.iter().any(|(l, v)| l == label && v == value), "{label} = {value} is not in {fields:?}");
}

#[test]
fn a_record_in_one_sentence_is_entered_and_saved() {
    let sentence = "Enter order number A-7, customer Sample Ltd, product code 00120, quantity 3, price 12.50, \
                    payment Cash and save";
    let (_, records) = carry_out("en", 0, &[sentence]);
    assert_eq!(
        records,
        [json!({"order_no": "A-7", "customer": "Sample Ltd", "product_code": "00120", "quantity": "3",
            "unit_price": "12.50", "payment": "Cash", "urgent": false, "remark": ""})]
    );
}

#[test]
fn named_fields_are_filled_and_the_button_is_clicked() {
    let (fields, _) = carry_out("en", 0, &["Enter customer Sample Ltd, quantity 3, price 12.50 and save"]);
    // The form misses its order number, so it keeps what was entered.
    for (label, value) in [("Customer", "Sample Ltd"), ("Quantity", "3"), ("Unit price", "12.50"), ("Remark", "")] {
        holds(&fields, label, value);
    }
}

#[test]
fn a_sentence_types_into_the_field_that_it_names() {
    let (fields, records) = carry_out("en", 2, &["Type Sample Ltd into Customer name", "Click the Save button"]);
    holds(&fields, "Customer name", "Sample Ltd");
    assert!(records.is_empty(), "the form was incomplete");
}

#[test]
fn a_chinese_sentence_types_into_a_chinese_field() {
    let (fields, _) = carry_out("zh", 0, &["在数量中输入 12"]);
    holds(&fields, "数量", "12");
}

/// A case: scene, sentence, tool, name of the element (or the keys), text.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static str);

const CASES: [Case; 30] = [
    ("order", "Click the Save button", "click", "Save", ""),
    ("order", "Type Sample Ltd into Customer name", "type_text", "Customer name", "Sample Ltd"),
    ("order", "Press the Cancel button", "click", "Cancel", ""),
    ("order", "Enter 12 in Quantity", "type_text", "Quantity", "12"),
    ("order", "Set the unit price to 12.50", "type_text", "Unit price", "12.50"),
    ("order", "Choose Monthly as payment", "choose", "Payment", "Monthly"),
    ("order", "Tick Urgent", "click", "Urgent", ""),
    ("order", "Press Ctrl+S", "press_key", "ctrl+s", ""),
    ("order", "Start a new order", "click", "New order", ""),
    ("order", "Write \"call before delivery\" into the remark", "type_text", "Remark", "call before delivery"),
    ("order", "Delete this order", "click", "Delete", ""),
    ("order", "put 2026-12-01 in the delivery date field", "type_text", "Delivery date", "2026-12-01"),
    ("order", "在数量中输入 12", "type_text", "Quantity", "12"),
    ("order", "点击保存", "click", "Save", ""),
    ("zh", "点击保存按钮", "click", "保存", ""),
    ("zh", "在客户名称中输入上海样品有限公司", "type_text", "客户名称", "上海样品有限公司"),
    ("zh", "结算方式选择月结", "choose", "结算方式", "月结"),
    ("zh", "勾选加急", "click", "加急", ""),
    ("zh", "取消", "click", "取消", ""),
    ("zh", "数量填 30", "type_text", "数量", "30"),
    ("zh", "打开打印预览", "click", "打印预览", ""),
    ("zh", "Click the Save button", "click", "保存", ""),
    ("zh", "Enter 30 in quantity", "type_text", "数量", "30"),
    ("mail", "Reply to this message", "click", "Reply", ""),
    ("mail", "forward the mail", "click", "Forward", ""),
    ("mail", "Open the Drafts folder", "click", "Drafts", ""),
    ("mail", "Search for invoice", "type_text", "Search", "invoice"),
    ("mail", "Go to the settings", "click", "Settings", ""),
    ("mail", "Mark it as spam", "click", "Spam", ""),
    ("mail", "scroll down", "scroll", "down", ""),
];

/// Role and name of every element of a scene.
fn scene(name: &str) -> Scene {
    use Role::{Button, Checkbox, Combobox, Link, Listitem, Tab, Textbox};
    let lines: &[(Role, &str)] = match name {
        "order" => &[
            (Textbox, "Order number"),
            (Textbox, "Customer name"),
            (Textbox, "Customer code"),
            (Textbox, "Quantity"),
            (Textbox, "Unit price"),
            (Textbox, "Delivery date"),
            (Combobox, "Payment"),
            (Checkbox, "Urgent"),
            (Checkbox, "Send a copy"),
            (Textbox, "Remark"),
            (Button, "New order"),
            (Button, "Save"),
            (Button, "Save as draft"),
            (Button, "Delete"),
            (Button, "Cancel"),
            (Link, "Price list"),
        ],
        "zh" => &[
            (Textbox, "单据编号"),
            (Textbox, "客户名称"),
            (Textbox, "客户编码"),
            (Textbox, "数量"),
            (Textbox, "单价"),
            (Combobox, "结算方式"),
            (Combobox, "仓库"),
            (Checkbox, "加急"),
            (Textbox, "备注"),
            (Button, "新增"),
            (Button, "保存"),
            (Button, "删除"),
            (Button, "取消"),
            (Button, "打印预览"),
            (Button, "审核"),
        ],
        _ => &[
            (Button, "Compose"),
            (Listitem, "Inbox"),
            (Listitem, "Drafts"),
            (Listitem, "Sent"),
            (Listitem, "Spam"),
            (Textbox, "Search"),
            (Button, "Reply"),
            (Button, "Reply all"),
            (Button, "Forward"),
            (Button, "Archive"),
            (Tab, "Primary"),
            (Tab, "Promotions"),
            (Link, "Settings"),
            (Link, "Help"),
        ],
    };
    let elements = lines
        .iter()
        .zip(1..)
        .map(|((role, name), id)| {
            serde_json::from_value::<Element>(json!({
                "id": id, "role": role,
                "text": if role.is_field() { "" } else { name },
                "label": if role.is_field() { name } else { "" },
                "value": if role.is_field() { Some("") } else { None },
                "state": if *role == Checkbox { vec!["unchecked"] } else { vec![] },
            }))
            .unwrap()
        })
        .collect();
    Scene { capture: CaptureId(0), width: 0, height: 0, elements }
}

/// How many cases a model gets right; the wrong ones are named.
fn score(model: &mut dyn ChatModel) -> (usize, Vec<String>) {
    let mut wrong = Vec::new();
    for (name, sentence, tool, target, value) in CASES {
        let scene = scene(name);
        let decision = agent::decide(model, Vec::new(), Vec::new(), sentence, &scene, &StopSignal::default()).unwrap();
        let right = match decision.as_ref().map(|d| &d.reply) {
            Some(Reply::Call(call)) => {
                let argument = |key: &str| call.arguments.get(key).and_then(Value::as_str).unwrap_or_default();
                let text = if tool == "choose" { argument("option") } else { argument("text") };
                let named = target_of(call, &scene).map_or_else(
                    || if tool == "scroll" { argument("direction") } else { argument("keys") },
                    |element| element.name(),
                );
                call.tool == tool && named == target && text == value
            }
            Some(Reply::Answer(_)) | None => false,
        };
        if !right {
            wrong.push(format!("{sentence}: {:?}", decision.map(|d| d.reply)));
        }
    }
    (CASES.len() - wrong.len(), wrong)
}

#[test]
fn with_random_weights_the_suite_drops_clearly() {
    let payload = Payload::open(&exe()).unwrap();
    let bytes = payload.get(names::LLM).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (own, random) = (folder.path().join("own.gguf"), folder.path().join("random.gguf"));
    std::fs::write(&own, &*bytes).unwrap();
    randomise(&own, &random, 7).unwrap();
    let load = |path: &std::path::Path| {
        LocalModel::load("test", std::sync::Arc::new(PayloadBytes::map_file(path).unwrap())).unwrap()
    };
    let (trained, wrong) = score(&mut load(&own));
    let (scrambled, _) = score(&mut load(&random));
    println!("suite=30 embedded={trained} random={scrambled} wrong={wrong:#?}");
    assert!(trained >= 26, "{trained} of 30 right: {wrong:#?}");
    assert!(scrambled + 5 <= trained, "random weights get {scrambled}, the embedded ones {trained}");
}
