use super::*;
use crate::scene::{Role, Source};
use serde_json::json;

struct Says(Option<bool>, std::rc::Rc<std::cell::Cell<usize>>);

impl Asker for Says {
    fn ask(&mut self, _question: &str) -> Option<bool> {
        self.1.set(self.1.get() + 1);
        self.0
    }
}

fn button(text: &str) -> Element {
    Element {
        id: 1,
        role: Role::Button,
        text: text.into(),
        label: String::new(),
        value: None,
        state: vec![],
        bbox: crate::scene::ImageRect::zero(),
        confidence: 1.0,
        source: Source::Ocr,
    }
}

fn click(text: &str, sentence: &str) -> Action {
    Action {
        call: ToolCall::new("click", json!({"element": text})),
        element: Some(button(text)),
        origin: Origin::Sentence(sentence.into()),
        question: None,
        picture: None,
    }
}

fn review(mode: ApproveMode, action: &Action) -> Result<Approved<ToolCall>, Refusal> {
    Policy::new(mode, None).review(action)
}

#[test]
fn without_anybody_to_ask_what_cannot_be_undone_is_refused() {
    for word in ["Save", "Delete", "保存", "删除", "提交", "Send"] {
        let result = review(ApproveMode::Ask, &click(word, &format!("click {word}")));
        assert!(matches!(result, Err(Refusal::NobodyToAsk { .. })), "{word}: {result:?}");
    }
    assert!(review(ApproveMode::Ask, &click("Next page", "go on")).is_ok());
}

#[test]
fn always_allows_what_the_sentence_asks_for_and_not_what_only_the_screen_offers() {
    assert!(review(ApproveMode::Always, &click("Save", "enter it and save")).is_ok());
    assert!(review(ApproveMode::Always, &click("保存", "enter it and save")).is_ok());
    assert!(review(ApproveMode::Always, &click("Save", "录入并保存")).is_ok());
    let result = review(ApproveMode::Always, &click("Delete", "enter it and save"));
    assert!(matches!(result, Err(Refusal::NotAskedFor { .. })), "{result:?}");
    let sheet = Action { origin: Origin::Sheet, ..click("删除", "") };
    assert!(review(ApproveMode::Always, &sheet).is_err());
}

#[test]
fn never_refuses_all_that_needs_approval() {
    assert!(matches!(review(ApproveMode::Never, &click("Save", "save")), Err(Refusal::Never { .. })));
    assert!(review(ApproveMode::Never, &click("Next", "next")).is_ok());
}

#[test]
fn each_asks_before_every_step_but_not_before_looking() {
    let asked = std::rc::Rc::new(std::cell::Cell::new(0));
    let mut policy = Policy::new(ApproveMode::Each, Some(Box::new(Says(Some(true), asked.clone()))));
    assert!(policy.review(&click("Next", "next")).is_ok());
    let look = Action { call: ToolCall::new("read_screen", json!({})), element: None, ..click("", "") };
    assert!(policy.review(&look).is_ok());
    assert_eq!(asked.get(), 1);
}

#[test]
fn no_answer_in_time_means_no() {
    let asked = std::rc::Rc::new(std::cell::Cell::new(0));
    let mut policy = Policy::new(ApproveMode::Ask, Some(Box::new(Says(None, asked))));
    assert!(policy.review(&click("Save", "save")).is_err());
}

#[test]
fn a_chord_that_saves_needs_approval_like_the_button() {
    let chord = |keys: &str, sentence: &str| Action {
        call: ToolCall::new("press_key", json!({"keys": keys})),
        element: None,
        origin: Origin::Sentence(sentence.into()),
        question: None,
        picture: None,
    };
    assert!(review(ApproveMode::Ask, &chord("ctrl+s", "press Ctrl+S")).is_err());
    assert!(review(ApproveMode::Always, &chord("ctrl+s", "press Ctrl+S")).is_ok());
    assert!(review(ApproveMode::Always, &chord("delete", "save it")).is_err());
    assert!(review(ApproveMode::Ask, &chord("tab", "press Tab")).is_ok());
}

#[test]
fn ok_in_a_dialog_that_asks_whether_to_delete_is_a_deletion() {
    let ok = Action { question: Some("Delete order A-1001?".into()), ..click("OK", "press OK") };
    assert_eq!(risk_of(&ok), Risk::Destructive);
    assert!(review(ApproveMode::Always, &ok).is_err());
    let cancel = Action { element: Some(button("Cancel")), ..ok };
    assert_eq!(risk_of(&cancel), Risk::Reversible);
}
