//! What the screen says after a save: saved, failed, a question, or nothing that proves anything (E4).
//!
//! Unknown is never success. Only what is new on the screen counts, and a failure word outweighs a success word.

use crate::scene::{Element, Role, Scene};
use crate::tools::same_text;
use crate::words::{find_word, is, mentions, norm, words};

/// How a row ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RowState {
    Saved,
    Failed,
    Skipped,
    Unknown,
}

impl RowState {
    /// The word that is printed.
    pub fn name(self) -> &'static str {
        match self {
            RowState::Saved => "saved",
            RowState::Failed => "failed",
            RowState::Skipped => "skipped",
            RowState::Unknown => "unknown",
        }
    }
}

/// What came of pressing Save.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    Saved(String),
    Failed(String),
    /// The program asks whether it really shall; the text is its question.
    Question(String),
    /// The program is still busy.
    Busy(String),
    Unknown(String),
}

/// What is compared for a verdict.
#[derive(Debug)]
pub struct Evidence<'a> {
    /// The screen before the first row: what stood there already says nothing about any row.
    pub baseline: &'a Scene,
    /// The screen when this row was begun.
    pub before: &'a Scene,
    /// The screen after Save, or the dialog that came up.
    pub after: &'a Scene,
    /// Whether `after` is a window of its own in front of the form.
    pub dialog: bool,
    /// The row's values, with the label of the field that each was entered into.
    pub values: &'a [(String, String)],
}

/// Judges what the screen says about the row that was just saved.
pub fn judge(evidence: &Evidence<'_>) -> Verdict {
    let outcome = &words().all.outcome;
    let news = news(evidence);
    let answers = answer_buttons(evidence);
    let told = news.join(" ");
    if let Some(failure) = news.iter().find(|text| mentions(&outcome.failure, text).is_some()) {
        return Verdict::Failed(failure.clone());
    }
    if answers.affirm && answers.deny && !told.is_empty() {
        return Verdict::Question(told);
    }
    if let Some(success) = news.iter().find(|text| says_success(text)) {
        return Verdict::Saved(success.clone());
    }
    if let Some(busy) = news.iter().find(|text| mentions(&outcome.busy, text).is_some()) {
        return Verdict::Busy(busy.clone());
    }
    if evidence.dialog {
        return Verdict::Unknown(format!("the program says \"{told}\""));
    }
    let cleared = fields_cleared(evidence);
    let standing = evidence
        .after
        .elements
        .iter()
        .filter(|e| !filled(evidence, e))
        .map(shown)
        .find(|text| says_success(text) && !stands_in(evidence.baseline, text));
    if let (true, Some(text)) = (cleared, standing) {
        // The same message as after the row before; the emptied form shows that it is about this one.
        return Verdict::Saved(text.to_string());
    }
    let listed =
        evidence.values.iter().filter(|(_, value)| value.chars().count() >= 3 && news_has(evidence, value)).count();
    if cleared && listed >= 2 {
        return Verdict::Saved("the form was emptied and the record stands in the list".into());
    }
    Verdict::Unknown(match (cleared, told.is_empty()) {
        (true, true) => "the form was emptied, but nothing says that the record was saved".into(),
        (false, true) => "nothing on the screen says that the record was saved".into(),
        (_, false) => format!("the screen only says \"{told}\""),
    })
}

/// Texts that were not there before and are not just the row's own values.
fn news(evidence: &Evidence<'_>) -> Vec<String> {
    evidence
        .after
        .elements
        .iter()
        .filter(|e| !filled(evidence, e))
        .map(shown)
        .filter(|text| !text.is_empty())
        .filter(|text| evidence.dialog || !stands_in(evidence.before, text))
        .filter(|text| !evidence.values.iter().any(|(_, value)| norm(value).contains(&norm(text))))
        .map(str::to_string)
        .collect()
}

/// Whether a value stands on the screen outside the fields where it did not stand before.
fn news_has(evidence: &Evidence<'_>, value: &str) -> bool {
    let stands = |scene: &Scene| {
        let others = scene.elements.iter().filter(|e| !filled(evidence, e));
        others.filter(|e| find_word(&norm(shown(e)), &norm(value)).is_some()).count()
    };
    stands(evidence.after) > stands(evidence.before)
}

fn says_success(text: &str) -> bool {
    let outcome = &words().all.outcome;
    let Some(word) = mentions(&outcome.success, text) else { return false };
    let text = norm(text);
    let Some(found) = find_word(&text, word) else { return false };
    let before = text[..found.start].trim_end();
    !outcome.negation.iter().any(|no| find_word(before, no).is_some_and(|range| range.end == before.len()))
}

/// Whether the form let go of the row: no text field holds its value any more, and at least one is empty.
fn fields_cleared(evidence: &Evidence<'_>) -> bool {
    let mut empty = 0;
    for (label, value) in evidence.values.iter().filter(|(_, value)| !value.is_empty()) {
        let field = evidence.after.elements.iter().find(|e| e.role == Role::Textbox && same_text(&e.label, label));
        match field.and_then(|e| e.value.as_deref()) {
            Some("") => empty += 1,
            // A field that stands at this value in the empty form tells nothing.
            Some(now) if same_text(now, value) && !is_default(evidence.baseline, label, value) => return false,
            Some(_) | None => {}
        }
    }
    empty > 0
}

/// Whether the empty form holds this very value in that field.
fn is_default(baseline: &Scene, label: &str, value: &str) -> bool {
    let field = baseline.elements.iter().find(|e| e.role == Role::Textbox && same_text(&e.label, label));
    field.and_then(|e| e.value.as_deref()).is_some_and(|default| same_text(default, value))
}

fn stands_in(scene: &Scene, text: &str) -> bool {
    scene.elements.iter().any(|e| same_text(shown(e), text))
}

/// Whether the row was entered into this element; a message line that looks like a field is none of them.
fn filled(evidence: &Evidence<'_>, element: &Element) -> bool {
    element.role.is_field() && evidence.values.iter().any(|(label, _)| same_text(label, &element.label))
}

/// The words that an element shows.
fn shown(element: &Element) -> &str {
    element.value.as_deref().filter(|value| !value.is_empty()).unwrap_or(&element.text)
}

struct Answers {
    affirm: bool,
    deny: bool,
}

/// The answering buttons that are new on the screen.
fn answer_buttons(evidence: &Evidence<'_>) -> Answers {
    let answers = &words().all.answers;
    let new = |e: &&Element| e.role.is_interactive() && (evidence.dialog || !stands_in(evidence.before, &e.text));
    let buttons: Vec<&Element> = evidence.after.elements.iter().filter(new).collect();
    Answers {
        affirm: buttons.iter().any(|e| is(&answers.affirm, bare(&e.text))),
        deny: buttons.iter().any(|e| is(&answers.deny, bare(&e.text))),
    }
}

/// The button that answers a dialog with yes (or with no), if it has one.
pub fn answer(scene: &Scene, yes: bool) -> Option<&Element> {
    let answers = &words().all.answers;
    let lists: [&crate::words::List; 2] =
        if yes { [&answers.affirm, &answers.close] } else { [&answers.deny, &answers.close] };
    lists
        .into_iter()
        .find_map(|list| scene.elements.iter().find(|e| e.role.is_interactive() && is(list, bare(&e.text))))
}

/// A button's words without its access key: `是(Y)`, `&OK`.
fn bare(text: &str) -> &str {
    let text = text.trim().trim_start_matches('&');
    match text.find(['(', '（']) {
        Some(at) if at > 0 => text[..at].trim_end(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{CaptureId, ImageRect, Source};

    fn scene(lines: &[(Role, &str, &str)]) -> Scene {
        let elements = lines
            .iter()
            .zip(1..)
            .map(|((role, name, value), id)| Element {
                id,
                role: *role,
                text: if role.is_field() { String::new() } else { (*name).into() },
                label: if role.is_field() { (*name).into() } else { String::new() },
                group: String::new(),
                value: role.is_field().then(|| (*value).into()),
                state: vec![],
                bbox: ImageRect::zero(),
                confidence: 1.0,
                source: Source::Ocr,
            })
            .collect();
        Scene { capture: CaptureId(1), width: 100, height: 100, elements }
    }

    fn verdict(after: &[(Role, &str, &str)], dialog: bool) -> Verdict {
        verdict_after(&[STILL], after, dialog)
    }

    fn verdict_after(before: &[(Role, &str, &str)], after: &[(Role, &str, &str)], dialog: bool) -> Verdict {
        let baseline = scene(&[(Role::Textbox, "Customer", ""), (Role::Button, "Save", ""), STILL]);
        let before = scene(before);
        let values = [("Customer".to_string(), "Sample Ltd must do".to_string()), ("Qty".into(), "12".into())];
        judge(&Evidence { baseline: &baseline, before: &before, after: &scene(after), dialog, values: &values })
    }

    const STILL: (Role, &str, &str) = (Role::Text, "Saved orders", "");

    #[test]
    fn only_a_new_message_of_success_is_success() {
        let saved = verdict(&[STILL, (Role::Text, "Order 5 saved", "")], false);
        assert!(matches!(saved, Verdict::Saved(_)), "{saved:?}");
        let chinese = verdict(&[STILL, (Role::Text, "已保存订单 A-1", "")], false);
        assert!(matches!(chinese, Verdict::Saved(_)), "{chinese:?}");
        let nothing = verdict(&[STILL, (Role::Textbox, "Customer", "Sample Ltd must do")], false);
        assert!(matches!(nothing, Verdict::Unknown(_)), "{nothing:?}");
    }

    #[test]
    fn a_failure_word_outweighs_a_success_word() {
        let failed =
            verdict(&[STILL, (Role::Text, "Saved", ""), (Role::Text, "Customer must not be empty", "")], false);
        assert!(matches!(failed, Verdict::Failed(_)), "{failed:?}");
        let not_saved = verdict(&[STILL, (Role::Text, "Order was not saved", "")], false);
        assert!(!matches!(not_saved, Verdict::Saved(_)), "{not_saved:?}");
    }

    #[test]
    fn the_rows_own_words_in_a_list_are_no_message() {
        let verdict = verdict(&[STILL, (Role::Text, "Sample Ltd must do", "")], false);
        assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
    }

    #[test]
    fn an_emptied_form_counts_only_with_a_message_that_an_earlier_row_brought() {
        let empty = (Role::Textbox, "Customer", "");
        let heading = verdict(&[empty, STILL], false);
        assert!(matches!(heading, Verdict::Unknown(_)), "a heading is no message: {heading:?}");
        let message = (Role::Text, "Record saved", "");
        let same = verdict_after(&[STILL, message], &[empty, STILL, message], false);
        assert!(matches!(same, Verdict::Saved(_)), "{same:?}");
        let full = verdict_after(&[message], &[(Role::Textbox, "Customer", "Sample Ltd must do"), message], false);
        assert!(matches!(full, Verdict::Unknown(_)), "{full:?}");
    }

    #[test]
    fn a_dialog_that_can_be_denied_is_a_question() {
        let asked = verdict(
            &[(Role::Text, "Save this record?", ""), (Role::Button, "Yes", ""), (Role::Button, "No", "")],
            true,
        );
        assert!(matches!(asked, Verdict::Question(_)), "{asked:?}");
        let told = verdict(&[(Role::Text, "Customer saved.", ""), (Role::Button, "OK", "")], true);
        assert!(matches!(told, Verdict::Saved(_)), "{told:?}");
        let unclear = verdict(&[(Role::Text, "Printer is on fire", ""), (Role::Button, "OK", "")], true);
        assert!(matches!(unclear, Verdict::Unknown(_)), "{unclear:?}");
    }
}
