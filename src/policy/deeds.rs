//! Deeds: what somebody may regret, read from words in any language, and whether a sentence asks for it.

use crate::words::{find_word, is_cjk, norm, words};

use super::risk::Risk;

/// What somebody may regret, coarse enough to be the same in every language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    /// Saves or submits a record.
    Commit,
    /// Sends, pays, publishes: leaves the machine or moves money.
    Outward,
    /// Deletes.
    Destroy,
}

impl Deed {
    pub(super) fn risk(self) -> Risk {
        match self {
            Deed::Destroy => Risk::Destructive,
            Deed::Commit | Deed::Outward => Risk::Irreversible,
        }
    }
}

/// The lists of risky words, each with what a word of it does.
fn risky() -> impl Iterator<Item = (&'static str, Deed)> {
    let verbs = &words().all.verbs;
    let lost = verbs.destructive.iter().map(|word| (word.as_str(), Deed::Destroy));
    let kept = verbs.irreversible.iter().map(|word| {
        let deed = if verbs.commit.contains(word) { Deed::Commit } else { Deed::Outward };
        (word.as_str(), deed)
    });
    lost.chain(kept)
}

/// Everything that a text does by its words: "Save and send" does both.
pub(super) fn deeds_in(text: &str) -> Vec<Deed> {
    let text = norm(text);
    let mut deeds: Vec<Deed> = Vec::new();
    for (word, deed) in risky() {
        if !deeds.contains(&deed) && find_word(&text, word).is_some() {
            deeds.push(deed);
        }
    }
    deeds
}

/// The risky words of a text, sorted.
pub(super) fn risky_words(text: &str) -> Vec<String> {
    let text = norm(text);
    let mut found: Vec<String> =
        risky().filter(|(word, _)| find_word(&text, word).is_some()).map(|(word, _)| word.to_string()).collect();
    found.sort();
    found.dedup();
    found
}

/// Whether dropping something on a thing of this name loses it.
pub(super) fn is_bin(text: &str) -> bool {
    crate::words::mentions(&words().all.verbs.bin, text).is_some()
}

/// What the user's sentence asks for. "Save it, but don't delete anything" asks for no deletion.
pub(super) fn wanted_by(sentence: &str) -> Vec<Deed> {
    let sentence = norm(sentence);
    let mut deeds: Vec<Deed> = Vec::new();
    for (word, deed) in risky() {
        if !deeds.contains(&deed) && asks(&sentence, word) {
            deeds.push(deed);
        }
    }
    deeds
}

/// Whether the sentence (normalised) names the word at least once without a "not" in front of it.
pub(super) fn asks(sentence: &str, word: &str) -> bool {
    let mut from = 0;
    while let Some(found) = sentence.get(from..).and_then(|rest| find_word(rest, word)) {
        if !is_negated(&sentence[..from + found.start]) {
            return true;
        }
        from += found.end;
    }
    false
}

/// Whether what stands before a word forbids it: a "don't" at most three words back in the same clause. Chinese has no
/// blanks: there it stands at most three characters back, and directly before it or one back when it is one character
/// long, because such characters are also parts of other words (不锈钢).
fn is_negated(before: &str) -> bool {
    const BREAKS: [char; 8] = [',', '.', ';', '!', '?', '、', '。', ':'];
    let all = &words().all.connectors;
    let clause = before.rsplit(BREAKS).next().unwrap_or_default();
    let near: Vec<&str> = clause.split_whitespace().rev().take(4).collect();
    let stop = near.iter().position(|word| all.join.iter().any(|join| join == word));
    let near: Vec<&str> = near.into_iter().take(stop.unwrap_or(usize::MAX)).collect();
    let near = near.into_iter().rev().collect::<Vec<_>>().join(" ");
    if !near.chars().any(is_cjk) {
        return all.forbid.iter().any(|word| find_word(&near, word).is_some());
    }
    all.forbid.iter().any(|word| {
        let Some(at) = near.rfind(word.as_str()) else { return false };
        let gap = &near[at + word.len()..];
        let reach = if word.chars().count() == 1 { 1 } else { 3 };
        gap.chars().count() <= reach && !all.join.iter().any(|join| gap.contains(join.as_str()))
    })
}

/// Whether `text` does nothing risky beside what the given words say: "Save and send" is more than "Save".
pub(super) fn only_says(text: &str, words: &[String]) -> bool {
    let mut rest = norm(text);
    for word in words {
        while let Some(found) = find_word(&rest, word) {
            rest.replace_range(found, "\u{1f}");
        }
    }
    deeds_in(&rest).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_risky_word_of_a_text_counts() {
        let deeds = deeds_in("Save and send");
        assert!(deeds.contains(&Deed::Commit) && deeds.contains(&Deed::Outward));
        assert_eq!(deeds_in("保存并打印").len(), 2);
        assert!(deeds_in("Next page").is_empty());
    }

    #[test]
    fn a_sentence_that_forbids_something_does_not_ask_for_it() {
        for (sentence, asks) in [
            ("delete the order", true),
            ("save it, but don't delete anything", false),
            ("never press the delete button", false),
            ("enter it without deleting, then delete the draft", true),
            ("the customer is not known, delete it", true),
            ("删除这张订单", true),
            ("保存, 但不要点删除", false),
            ("别删除", false),
            ("把不锈钢订单删除", true),
            ("把不锈钢删除", true),
            ("把无锡客户删除", true),
            ("不删除", false),
            ("do not save, delete it", true),
            ("is it urgent? no. delete it", true),
            ("录入, 不加急并删除草稿", true),
        ] {
            assert_eq!(wanted_by(sentence).contains(&Deed::Destroy), asks, "{sentence}");
        }
    }

    #[test]
    fn a_rule_for_save_does_not_cover_what_more_a_button_does() {
        let save = ["save".to_string(), "保存".to_string()];
        assert!(only_says("Save", &save) && only_says("保存(S)", &save));
        assert!(!only_says("Save and send", &save) && !only_says("保存并付款", &save));
    }
}
