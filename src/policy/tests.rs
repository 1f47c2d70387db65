//! What the policy as a whole promises, in the words of the people who rely on it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use serde_json::json;

use super::*;
use crate::scene::{Element, ImageRect, Role, Source, ToolCall};

/// Gives one answer always and writes the questions down.
struct Says(Option<Answer>, Rc<RefCell<Vec<Question>>>);

impl Asker for Says {
    fn ask(&mut self, question: &Question, _wanted: &dyn Fn() -> bool) -> Option<Answer> {
        self.1.borrow_mut().push(question.clone());
        self.0
    }
}

/// Remembers what it is told, or fails to.
#[derive(Default, Clone)]
struct Notes {
    kept: Rc<RefCell<Vec<(String, String)>>>,
    full: Rc<Cell<bool>>,
}

impl Memory for Notes {
    fn recalls(&self, workflow: &str, deed: &str) -> bool {
        self.kept.borrow().iter().any(|(w, d)| w == workflow && d == deed)
    }

    fn remember(&mut self, workflow: &str, deed: &str) -> std::io::Result<()> {
        if self.full.get() {
            return Err(std::io::Error::other("disk full"));
        }
        self.kept.borrow_mut().push((workflow.into(), deed.into()));
        Ok(())
    }
}

fn element(role: Role, text: &str, label: &str) -> Element {
    Element {
        id: 1,
        role,
        text: text.into(),
        label: label.into(),
        group: String::new(),
        value: None,
        state: vec![],
        bbox: ImageRect::zero(),
        confidence: 1.0,
        source: Source::Ocr,
    }
}

fn on(element: Element) -> Target {
    Target::Element { element, question: None, picture: None }
}

fn model(sentence: &str) -> Origin {
    Origin::Model { sentence: sentence.into() }
}

fn workflow(id: &str) -> Origin {
    Origin::Workflow { id: id.into() }
}

fn agent() -> Origin {
    Origin::Agent { name: "other".into() }
}

fn click(text: &str, sentence: &str) -> Action {
    Action {
        call: ToolCall::new("click", json!({"element": text})),
        target: on(element(Role::Button, text, "")),
        origin: model(sentence),
        declared: None,
    }
}

fn asked(question: &str, mut action: Action) -> Action {
    if let Target::Element { question: words, .. } | Target::Window { question: words, .. } = &mut action.target {
        *words = Some(question.into());
    }
    action
}

fn keys(keys: &str, sentence: &str) -> Action {
    Action {
        call: ToolCall::new("press_key", json!({"keys": keys})),
        target: Target::Window { focused: None, question: None, picture: None },
        origin: model(sentence),
        declared: None,
    }
}

fn command(line: &str, origin: Origin) -> Action {
    let argv: Vec<String> = line.split(' ').map(Into::into).collect();
    let call = ToolCall::new("run_command", json!({"program": argv[0]}));
    Action { call, target: Target::Command(argv), origin, declared: Some(Risk::Irreversible) }
}

fn alone(mode: ApproveMode) -> Policy {
    Policy::new(mode, Rules::safe(), None, None)
}

fn review(mode: ApproveMode, action: &Action) -> Result<Approved<Action>, Refusal> {
    alone(mode).review(action.clone())
}

/// A policy with somebody who answers, and what was asked.
fn answered(mode: ApproveMode, answer: Option<Answer>) -> (Policy, Rc<RefCell<Vec<Question>>>) {
    let questions = Rc::new(RefCell::new(Vec::new()));
    let asker = Box::new(Says(answer, questions.clone()));
    (Policy::new(mode, Rules::safe(), Some(asker), None), questions)
}

/// As [`answered`] in mode `ask`, with a memory and rules.
fn remembering(answer: Option<Answer>, notes: &Notes) -> (Policy, Rc<RefCell<Vec<Question>>>) {
    let questions = Rc::new(RefCell::new(Vec::new()));
    let asker = Box::new(Says(answer, questions.clone()));
    (Policy::new(ApproveMode::Ask, Rules::safe(), Some(asker), Some(Box::new(notes.clone()))), questions)
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
    for (text, sentence) in [
        ("Delete", "enter it and save"),
        ("Save and send", "enter it and save"),
        ("Delete", "save it, but never delete anything"),
        ("删除", "保存, 不要删除"),
    ] {
        let result = review(ApproveMode::Always, &click(text, sentence));
        assert!(matches!(result, Err(Refusal::NotAskedFor { .. })), "{text}, {sentence}: {result:?}");
    }
    let sheet = |text| Action { origin: workflow("orders"), ..click(text, "") };
    assert!(review(ApproveMode::Always, &sheet("保存")).is_ok());
    assert!(review(ApproveMode::Always, &sheet("删除")).is_err());
    assert!(review(ApproveMode::Always, &sheet("Send")).is_err());
}

#[test]
fn always_never_counts_another_agents_words_as_the_users() {
    let save = Action { origin: agent(), ..click("Save", "") };
    assert!(matches!(review(ApproveMode::Always, &save), Err(Refusal::NotAskedFor { .. })));
    let users_own = Action { origin: Origin::User, ..click("Delete", "") };
    assert!(review(ApproveMode::Always, &users_own).is_ok());
}

#[test]
fn never_refuses_all_that_needs_approval() {
    assert!(matches!(review(ApproveMode::Never, &click("Save", "save")), Err(Refusal::Never { .. })));
    assert!(review(ApproveMode::Never, &click("Next", "next")).is_ok());
}

#[test]
fn each_asks_before_every_step_but_not_before_looking() {
    let (mut policy, questions) = answered(ApproveMode::Each, Some(Answer::Yes));
    assert!(policy.review(click("Next", "next")).is_ok());
    let look = Action { call: ToolCall::new("read_screen", json!({})), target: Target::Nothing, ..click("", "") };
    assert!(policy.review(look).is_ok());
    assert_eq!(questions.borrow().len(), 1);
}

#[test]
fn no_answer_in_time_means_no() {
    let (mut policy, questions) = answered(ApproveMode::Ask, None);
    assert!(matches!(policy.review(click("Save", "save")), Err(Refusal::NoAnswer { .. })));
    assert_eq!(questions.borrow().len(), 1);
}

#[test]
fn the_class_is_the_higher_of_what_is_declared_and_what_the_target_says() {
    let declared = |declared, text| risk_of(&Action { declared, ..click(text, "") });
    assert_eq!(declared(None, "Save"), Risk::Irreversible);
    assert_eq!(declared(Some(Risk::Observe), "Save"), Risk::Irreversible);
    assert_eq!(declared(Some(Risk::Destructive), "Save"), Risk::Destructive);
    assert_eq!(declared(Some(Risk::System), "Next"), Risk::System);
    let unknown = |declared| {
        let call = ToolCall::new("mail__post", json!({}));
        risk_of(&Action { call, target: Target::Nothing, declared, ..click("", "") })
    };
    assert_eq!(unknown(None), Risk::Irreversible, "a tool that nobody described can do anything");
    assert_eq!(unknown(Some(Risk::Observe)), Risk::Observe);
}

#[test]
fn words_count_wherever_they_stand_on_the_target() {
    let class = |tool: &str, arguments, element| {
        risk_of(&Action { call: ToolCall::new(tool, arguments), target: on(element), ..click("", "") })
    };
    let icon = |label: &str| element(Role::Icon, "", label);
    let field = |label: &str| element(Role::Textbox, "", label);
    for (name, is, wanted) in [
        ("the word beside an icon", class("click", json!({}), icon("Delete")), Risk::Destructive),
        ("the word beside an icon, in Chinese", class("click", json!({}), icon("删除")), Risk::Destructive),
        ("a field that is only called so", class("click", json!({}), field("Post code")), Risk::Reversible),
        ("a double click on a button", class("double_click", json!({}), icon("Send")), Risk::Irreversible),
        ("opening the recycle bin", class("double_click", json!({}), icon("Recycle Bin")), Risk::Reversible),
        (
            "dragging into the recycle bin",
            class("drag", json!({"from": "a", "to": "Recycle Bin"}), icon("a")),
            Risk::Destructive,
        ),
        (
            "dragging into it, in Chinese",
            class("drag", json!({"from": "a", "to": "回收站"}), icon("a")),
            Risk::Destructive,
        ),
        ("dragging into a folder", class("drag", json!({"from": "a", "to": "Archive"}), icon("a")), Risk::Reversible),
        ("typing into a field", class("type_text", json!({"text": "delete"}), field("Remark")), Risk::Reversible),
        ("typing a line break", class("type_text", json!({"text": "a\n"}), field("Remark")), Risk::Irreversible),
        (
            "a line break in a form",
            class("fill_fields", json!({"fields": [{"field": "x", "value": "a\r\n"}]}), field("x")),
            Risk::Irreversible,
        ),
        ("typing onto a button", class("type_text", json!({"text": "a"}), icon("Delete")), Risk::Destructive),
        (
            "choosing an entry",
            class("choose", json!({"option": "停用"}), element(Role::Combobox, "", "State")),
            Risk::Reversible,
        ),
        ("choosing on a button", class("choose", json!({"option": "a"}), icon("Send")), Risk::Irreversible),
        ("scrolling over a button", class("scroll", json!({}), icon("Delete")), Risk::Reversible),
    ] {
        assert_eq!(is, wanted, "{name}");
    }
    // An element that the eyes do not know is judged by the name that the call gives it.
    let unseen = Action { target: Target::Nothing, ..click("Delete", "") };
    assert_eq!(risk_of(&unseen), Risk::Destructive);
}

#[test]
fn a_chord_that_saves_needs_approval_like_the_button() {
    for chord in ["ctrl+s", "Control+S", "Strg + s", "delete", "Del", "shift+delete", "ctrl+return", "cmd+s"] {
        assert!(review(ApproveMode::Ask, &keys(chord, "go on")).is_err(), "{chord}");
    }
    assert!(review(ApproveMode::Always, &keys("ctrl+s", "press Ctrl+S")).is_ok());
    assert!(review(ApproveMode::Always, &keys("delete", "save it")).is_err());
    assert!(review(ApproveMode::Always, &keys("enter", "press Enter")).is_ok());
    assert!(review(ApproveMode::Ask, &keys("tab", "press Tab")).is_ok());
}

#[test]
fn ok_in_a_dialog_that_asks_whether_to_delete_is_a_deletion() {
    let ok = asked("Delete order A-1001?", click("OK", "press OK"));
    assert_eq!(risk_of(&ok), Risk::Destructive);
    assert!(review(ApproveMode::Always, &ok).is_err());
    let cancel = asked("Delete order A-1001?", click("Cancel", "press OK"));
    assert_eq!(risk_of(&cancel), Risk::Reversible);
}

#[test]
fn a_key_that_answers_a_dialog_is_judged_by_its_question() {
    for key in ["enter", "space", "y", "alt+y", "Return", "o"] {
        let action = asked("确定要删除吗?", keys(key, "press enter or y, enter it and save"));
        assert_eq!(risk_of(&action), Risk::Destructive, "{key}");
        // Naming the key does not ask for what the dialog makes of it.
        assert!(review(ApproveMode::Always, &action).is_err(), "{key}");
    }
    for key in ["esc", "tab", "shift+tab", "down"] {
        assert_eq!(risk_of(&asked("Delete it?", keys(key, ""))), Risk::Reversible, "{key}");
    }
    let focused =
        |text: &str| Target::Window { focused: Some(element(Role::Button, text, "")), question: None, picture: None };
    assert_eq!(risk_of(&Action { target: focused("Delete"), ..keys("enter", "") }), Risk::Destructive);
    assert_eq!(risk_of(&Action { target: focused("Delete"), ..keys("down", "") }), Risk::Reversible);
}

#[test]
fn what_endangers_the_machine_is_refused_whoever_asks_and_whatever_is_answered() {
    for origin in [Origin::User, model("rm -rf x"), workflow("w"), agent()] {
        let (mut policy, questions) = answered(ApproveMode::Ask, Some(Answer::Always));
        let result = policy.review(command("rm -rf x", origin));
        assert!(matches!(result, Err(Refusal::System { .. })), "{result:?}");
        assert!(questions.borrow().is_empty());
    }
    let refusal = review(ApproveMode::Always, &command("rm -rf x", Origin::User)).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "run command: \"rm\" is never allowed, not even with your approval: it deletes a whole folder with everything \
         below it"
    );
}

#[test]
fn a_command_is_run_without_a_question_only_when_the_user_wrote_it_out() {
    assert!(review(ApproveMode::Always, &command("cargo test", model("run cargo test"))).is_ok());
    assert!(review(ApproveMode::Always, &command("cargo test", model("run the tests"))).is_err());
    assert!(review(ApproveMode::Always, &command("cargo test", workflow("w"))).is_err());
    assert!(review(ApproveMode::Always, &command("cargo test", Origin::User)).is_ok());
}

#[test]
fn a_question_shows_exactly_what_will_happen() {
    let (mut policy, questions) = answered(ApproveMode::Ask, Some(Answer::Yes));
    let mut save = click("Save", "save");
    save.target = Target::Element {
        element: element(Role::Button, "Save", ""),
        question: Some("Save order \"7\"?\nReally?".into()),
        picture: Some("/runs/1/before-3.png".into()),
    };
    assert_eq!(policy.review(save).unwrap().how(), "approved by the user");
    policy.review(command("git commit -m a\nb", agent())).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = ResolvedPath::resolve("a/../b.txt", folder.path()).unwrap();
    let shown = format!("path: {path}");
    let write = Action {
        call: ToolCall::new("write_file", json!({"text": "x".repeat(300)})),
        target: Target::Path(path),
        origin: workflow("orders"),
        declared: Some(Risk::Irreversible),
    };
    policy.review(write).unwrap();
    let questions = questions.borrow();
    assert_eq!(
        questions[0],
        Question {
            text: "Deskhand wants to click the button \"Save\" in answer to \"Save order '7'? Really?\" (cannot be \
                   undone)."
                .into(),
            details: vec!["picture: /runs/1/before-3.png".into()],
            remember: None,
        }
    );
    assert_eq!(questions[1].text, "The agent \"other\" wants to run command: \"git\" (cannot be undone).");
    assert_eq!(questions[1].details, ["command: git commit -m \"a\\nb\""]);
    assert!(questions[2].text.starts_with("The workflow \"orders\" wants to write file [text: \"xxx"));
    assert!(questions[2].text.contains("(300 characters)"));
    assert_eq!(questions[2].details, [shown]);
}

#[test]
fn one_yes_covers_the_saves_of_the_whole_sheet_and_nothing_else() {
    let (mut policy, questions) = answered(ApproveMode::Ask, Some(Answer::Yes));
    policy.grant_sheet("orders", "enter 20 rows into \"Orders\"").unwrap();
    let row = |text| Action { origin: workflow("orders"), ..click(text, "") };
    assert_eq!(policy.review(row("Save")).unwrap().how(), "approved for the whole sheet");
    assert_eq!(questions.borrow().len(), 1);
    for other in [row("Delete"), row("Send"), click("Save", "save"), Action { origin: workflow("x"), ..row("Save") }] {
        policy.review(other).unwrap();
    }
    assert_eq!(questions.borrow().len(), 5, "each of these is asked for by itself");
}

#[test]
fn an_approval_is_remembered_for_its_workflow_and_its_deed_only() {
    let notes = Notes::default();
    let save = |id| Action { origin: workflow(id), ..click("Save", "") };
    let (mut policy, questions) = remembering(Some(Answer::Always), &notes);
    assert_eq!(policy.review(save("orders")).unwrap().how(), "approved by the user for this workflow");
    assert_eq!(questions.borrow()[0].remember.as_deref(), Some("orders"));
    assert_eq!(*notes.kept.borrow(), [("orders".to_string(), "irreversible/click/button/save".to_string())]);
    // A later run, and nobody there.
    let mut later = Policy::new(ApproveMode::Ask, Rules::safe(), None, Some(Box::new(notes.clone())));
    assert!(later.review(save("orders")).is_ok());
    assert!(later.review(save("invoices")).is_err());
    assert!(later.review(click("Save", "save")).is_err());
    assert!(later.review(asked("Overwrite 500 records?", save("orders"))).is_err());
    assert!(later.review(asked("Save order 8?", save("orders"))).is_err());
    let mut never = Policy::new(ApproveMode::Never, Rules::safe(), None, Some(Box::new(notes.clone())));
    assert!(never.review(save("orders")).is_err());
}

#[test]
fn what_is_destroyed_or_wanted_by_others_is_never_remembered() {
    let notes = Notes::default();
    for action in [
        Action { origin: workflow("orders"), ..click("Delete", "") },
        click("Save", "save"),
        Action { origin: agent(), ..click("Save", "") },
        Action { origin: Origin::User, ..click("Save", "") },
    ] {
        let (mut policy, questions) = remembering(Some(Answer::Always), &notes);
        assert_eq!(policy.review(action).unwrap().how(), "approved by the user");
        assert_eq!(questions.borrow()[0].remember, None);
    }
    assert!(notes.kept.borrow().is_empty());
}

#[test]
fn a_grant_for_a_sheet_is_remembered_until_anything_but_the_number_of_rows_changes() {
    let notes = Notes::default();
    let (mut policy, questions) = remembering(Some(Answer::Always), &notes);
    policy.grant_sheet("orders", "enter 20 rows and press \"Save\"").unwrap();
    policy.grant_sheet("orders", "enter 7 rows and press \"Save\"").unwrap();
    assert_eq!(questions.borrow().len(), 1);
    policy.grant_sheet("orders", "enter 7 rows and press \"Save\", although one column fits badly").unwrap();
    assert_eq!(questions.borrow().len(), 2);
}

#[test]
fn an_approval_that_cannot_be_kept_is_still_an_approval_and_says_so() {
    let notes = Notes::default();
    notes.full.set(true);
    let (mut policy, _) = remembering(Some(Answer::Always), &notes);
    let approved = policy.review(Action { origin: workflow("orders"), ..click("Save", "") }).unwrap();
    assert_eq!(approved.how(), "approved by the user, but it could not be remembered: disk full");
}

#[test]
fn an_origin_and_an_answer_keep_their_names_on_disk() {
    assert_eq!(serde_json::to_value(model("save")).unwrap(), json!({"who": "model", "sentence": "save"}));
    assert_eq!(serde_json::to_value(Origin::User).unwrap(), json!({"who": "user"}));
    assert_eq!(serde_json::from_value::<Origin>(json!({"who": "agent", "name": "other"})).unwrap(), agent());
    assert_eq!(serde_json::to_value(Answer::Always).unwrap(), json!("always"));
    assert_eq!(serde_json::to_value(Risk::System).unwrap(), json!("system"));
}
