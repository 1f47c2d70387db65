//! What stands at a place of the sentence: words of the lists, names of fields, commands, values.
//!
//! Small words count only where they can be meant: in lower case, and not as the beginning of a known name.

use std::ops::Range;

use super::grammar::Reader;
use super::tokens::Kind;
use crate::words::{self, List, is_cjk, norm};
use crate::workflow::bind::{Name, Reason, looks_numeric};

/// Longest name looked for, in tokens.
const LONGEST: usize = 10;
/// A name counts from here on when it is no synonym (a slip of a letter).
const NEAR: f32 = 0.8;
/// A wider name counts from here on when just one field fits it.
const WIDER: f32 = 0.6;

/// A field's name in the sentence.
#[derive(Debug, Clone)]
pub(super) struct Mention {
    /// First token behind the name.
    pub end: usize,
    /// Position among the fields.
    pub field: usize,
    pub others: Vec<usize>,
    pub score: f32,
    pub equal: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|t| t.kind)
    }

    pub(super) fn span(&self, from: usize, to: usize) -> Range<usize> {
        match (self.tokens.get(from), to.checked_sub(1).and_then(|l| self.tokens.get(l))) {
            (Some(first), Some(last)) if from < to => first.span.start..last.span.end,
            _ => 0..0,
        }
    }

    pub(super) fn text(&self, from: usize, to: usize) -> &'a str {
        self.sentence.get(self.span(from, to)).unwrap_or_default()
    }

    pub(super) fn is_character(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Character)
    }

    /// End of the longest word of the lists at this token. Words in letters count in lower case only, except at the
    /// start of the sentence: `To Go Ltd` does not begin with a preposition.
    pub(super) fn word(&self, at: usize, limit: usize, lists: &[&List]) -> Option<usize> {
        for end in (at + 1..=limit.min(at + 6)).rev() {
            let plain = |i: usize| matches!(self.kind(i), Some(Kind::Word | Kind::Character));
            if !(at..end).all(plain) {
                continue;
            }
            let text = self.text(at, end);
            let lower = text.to_lowercase();
            if self.begins_name(at, end) {
                continue;
            }
            let written =
                at == 0 || lower == text || text.chars().skip(1).all(|c| !c.is_uppercase()) && self.starts(at);
            if written && lists.iter().any(|l| l.contains(&lower)) {
                return Some(end);
            }
        }
        None
    }

    /// Whether a name that is known to begin like a small word begins inside these tokens and goes on behind them.
    pub(super) fn begins_name(&self, at: usize, end: usize) -> bool {
        if !self.is_character(at) {
            return false;
        }
        let behind = self.span(end.saturating_sub(1), end).end;
        let names = &self.words.all.marks.names;
        (at..end).any(|i| {
            let start = self.span(i, i + 1).start;
            let rest = self.sentence.get(start..).unwrap_or_default();
            names.iter().any(|n| rest.starts_with(n.as_str()) && start + n.len() > behind)
        })
    }

    /// Whether there is a blank between this token and the one before.
    pub(super) fn gap_before(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|b| self.tokens.get(b)).map_or(0, |t| t.span.end);
        self.tokens.get(at).is_some_and(|t| t.span.start > before)
    }

    /// Whether a clause starts at this token, where capitals say nothing.
    pub(super) fn starts(&self, at: usize) -> bool {
        at.checked_sub(1).is_none_or(|b| self.kind(b) == Some(Kind::Separator))
    }

    pub(super) fn skip(&self, mut at: usize, limit: usize, lists: &[&List]) -> usize {
        while let Some(end) = self.word(at, limit, lists) {
            at = end;
        }
        at
    }

    pub(super) fn find_mention(&self, at: usize) -> Option<Mention> {
        let plain = |i: usize| matches!(self.kind(i), Some(Kind::Word | Kind::Character));
        // Not from the middle of a longer word of letters and digits: A12 is no mention of anything.
        let mut best: Option<Mention> = None;
        let mut wider: Option<Mention> = None;
        for end in at + 1..=self.tokens.len().min(at + LONGEST) {
            if !plain(end - 1) {
                break;
            }
            let text = self.text(at, end);
            if !text.chars().any(char::is_alphabetic) {
                continue;
            }
            let name = Name::new(text);
            let scores: Vec<(usize, f32, Reason)> = self
                .names
                .iter()
                .enumerate()
                .filter(|(_, n)| !n.is_empty())
                .map(|(f, n)| {
                    let l = name.likeness(n);
                    (f, l.score, l.reason)
                })
                .collect();
            let Some(top) = scores.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
            let as_good = |least: f32| -> Vec<usize> {
                scores.iter().filter(|s| s.0 != top.0 && s.1 >= least).map(|s| s.0).collect()
            };
            let mention = Mention {
                end,
                field: top.0,
                others: as_good(top.1 - 0.02),
                score: top.1,
                equal: top.2 == Reason::Equal,
            };
            if self.is_verb(at, end) && top.2 != Reason::Equal {
                continue;
            }
            // A slip of a letter is one inside words, never a word more or less.
            let label = &self.fields[top.0].label;
            let slip = top.1 >= NEAR
                && !text.chars().any(|c| is_cjk(c) || c.is_ascii_digit())
                && label.split_whitespace().count() == text.split_whitespace().count();
            if top.2 >= Reason::Synonym || slip {
                best = Some(mention);
            } else if !self.words.concepts_of(text).is_empty() {
                // The name of something else that only begins like a field of ours: customer no, 客户电话.
                best = None;
                wider = (top.1 >= WIDER && as_good(WIDER).is_empty()).then_some(mention);
            }
        }
        best.or(wider)
    }

    /// Whether a verb that also names fields ("type") is meant as a verb: nothing assigns to it.
    pub(super) fn is_verb(&self, at: usize, end: usize) -> bool {
        let actions = &self.words.all.actions;
        let verb = self.word(at, end, &[&actions.type_text, &actions.choose, &actions.tick, &actions.add]) == Some(end);
        verb && self.assign(end, self.tokens.len()) == end
    }

    /// Whether these tokens are a value that is known to belong to the field.
    pub(super) fn is_typical(&self, from: usize, to: usize, field: usize) -> bool {
        let concept = self.names.get(field).and_then(Name::concept);
        concept.is_some_and(|c| self.words.concepts_of_value(self.text(from, to)).contains(&c))
    }

    /// Behind a name: "field", 栏, 里, 中.
    pub(super) fn behind_name(&self, name_end: usize, end: usize) -> usize {
        let roles = &self.words.all.roles;
        let kinds = [&roles.textbox, &roles.combobox, &roles.checkbox, &roles.switch, &roles.radio];
        let mut at = self.skip(name_end, end, &kinds);
        at = self.word(at, end, &[&self.words.all.connectors.inside]).unwrap_or(at);
        at = self.word(at, end, &[&self.words.all.connectors.filler]).filter(|_| self.is_character(at)).unwrap_or(at);
        // Chinese words of this kind also begin names (格力, 中国): they count before a verb, a blank or the end only.
        let alone = at >= end
            || !self.is_character(name_end)
            || self.gap_before(at)
            || self.assign(at, end) > at
            || self.word(at, end, &[&self.words.all.connectors.join]).is_some();
        if alone { at } else { name_end }
    }

    /// Behind the words that assign: "to", "is", ":", 为, 改成, 输入.
    pub(super) fn assign(&self, mut at: usize, end: usize) -> usize {
        loop {
            if at < end && self.kind(at) == Some(Kind::Assign) {
                at += 1;
            } else if let Some(next) = self.word(at, end, &[&self.words.all.connectors.assign]) {
                at = next;
            } else {
                return at;
            }
        }
    }

    /// Behind "from 3 to", 从3改成: only the new value counts.
    pub(super) fn replaced(&self, at: usize, end: usize) -> usize {
        let Some(old) = self.word(at, end, &[&self.words.all.connectors.from]) else { return at };
        (old + 1..end).map(|i| (i, self.assign(i, end))).find(|(i, to)| to > i && *to < end).map_or(at, |(_, to)| to)
    }

    /// Whether the name of any field, on the screen or not, starts here.
    pub(super) fn is_known_name(&self, at: usize, end: usize) -> bool {
        (at + 1..=end.min(at + 4)).any(|to| !self.words.concepts_of(self.text(at, to)).is_empty())
    }

    /// Whether these tokens are a unit such as pcs or 箱.
    pub(super) fn is_unit(&self, from: usize, to: usize) -> bool {
        self.words.all.typical.get("unit").is_some_and(|u| u.contains(&norm(self.text(from, to))))
    }

    /// Whether what follows a name is a value of its kind; `None` where the kind takes anything.
    pub(super) fn fits(&self, field: usize, at: usize, end: usize) -> Option<bool> {
        let first = if at < end { self.text(at, at + 1) } else { "" };
        let digits = first.chars().filter(char::is_ascii_digit).count();
        match self.names.get(field)?.kind() {
            words::Kind::Number => Some(looks_numeric(first)),
            words::Kind::Date => Some(digits > 0),
            words::Kind::Phone => Some(digits > 1),
            words::Kind::Email => Some(first.contains('@')),
            words::Kind::Flag | words::Kind::Free | words::Kind::Text => None,
        }
    }

    pub(super) fn next_is_truth(&self, at: usize, end: usize) -> bool {
        at < end && self.words.truth(self.text(at, end)).is_some()
    }

    /// Whether a command such as "save", "click OK" or 然后保存 starts here.
    pub(super) fn is_command(&self, at: usize, end: usize) -> bool {
        let all = &self.words.all;
        let at = self.skip(at, end, &[&all.connectors.join]);
        let a = &all.actions;
        let lists = [
            &all.verbs.commit,
            &all.verbs.destructive,
            &a.click,
            &a.double_click,
            &a.right_click,
            &a.scroll,
            &a.drag,
            &a.wait,
            &a.press_key,
            &a.open,
            &a.new,
            &a.clear,
        ];
        let Some(next) = self.word(at, end, &lists) else { return false };
        // Single Chinese characters begin many a name; English commands are short or go on with small words.
        if self.is_character(at) {
            return next - at >= 2 && (next >= end || end - next <= 6);
        }
        let goes_on =
            self.word(next, end, &[&all.connectors.filler, &all.roles.button, &all.connectors.join]).is_some();
        next >= end || goes_on || end - next <= 2
    }

    /// Whether a word of doing stands at the beginning, polite words left aside.
    pub(super) fn begins_command(&self, from: usize, end: usize) -> bool {
        let all = &self.words.all;
        let a = &all.actions;
        let at = self.skip(from, end, &[&all.connectors.filler, &all.connectors.join]);
        let lists = [
            &all.verbs.commit,
            &all.verbs.irreversible,
            &all.verbs.destructive,
            &a.click,
            &a.double_click,
            &a.right_click,
            &a.type_text,
            &a.choose,
            &a.tick,
            &a.untick,
            &a.scroll,
            &a.drag,
            &a.wait,
            &a.press_key,
            &a.open,
            &a.new,
            &a.clear,
            &a.read,
            &a.add,
        ];
        self.word(at, end, &lists).is_some()
    }

    /// Whether a Chinese command fills the clause up to its end, as 保存 in 数量12保存.
    pub(super) fn is_last_command(&self, at: usize, end: usize) -> bool {
        let lists = [&self.words.all.verbs.commit, &self.words.all.roles.button];
        let Some(next) = self.word(at, end, &lists[..1]) else { return false };
        self.skip(next, end, &lists[1..]) >= end
    }

    /// The value's text and place: quotes taken off, a unit behind a number left out.
    pub(super) fn value(&self, from: usize, to: usize, field: usize) -> (&'a str, Range<usize>) {
        let number = self.names.get(field).is_some_and(|n| n.kind() == words::Kind::Number);
        if number && to > from + 1 && looks_numeric(self.text(from, from + 1)) && self.is_unit(from + 1, to) {
            return self.unquoted(from, from + 1);
        }
        self.unquoted(from, to)
    }

    pub(super) fn unquoted(&self, from: usize, to: usize) -> (&'a str, Range<usize>) {
        let span = self.span(from, to);
        let text = self.sentence.get(span.clone()).unwrap_or_default();
        if to == from + 1 && self.kind(from) == Some(Kind::Quoted) {
            let open = text.chars().next().map_or(0, char::len_utf8);
            let close = text.chars().next_back().map_or(0, char::len_utf8);
            let inner = span.start + open..span.end.saturating_sub(close);
            return (self.sentence.get(inner.clone()).unwrap_or_default(), inner);
        }
        (text, span)
    }
}
