//! The ways in which a field and its value are said: name first, value first, or one of the two alone.
//!
//! A clause is read from its start: "(set) the customer (to) X", "type X into customer", "urgent", "月结". Inside a
//! clause a new pair begins only behind a joining word, or where a name is followed by what clearly is its value, so
//! that "remark customer will pick up" and "Smith and Sons" stay whole.

use std::ops::Range;

use super::lexis::Mention;
use super::tokens::{Kind, Token, cut};
use super::{Pair, Pairs, Rest};
use crate::scene::Role;
use crate::words::{self, Words, words};
use crate::workflow::bind::{Field, Name};

/// How a clause starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// Entering or choosing, said or not.
    Enter,
    Tick,
    Untick,
}

/// Which way round the last pair was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    NameFirst,
    ValueFirst,
}

pub(super) struct Reader<'a> {
    pub(super) sentence: &'a str,
    pub(super) tokens: Vec<Token>,
    pub(super) fields: &'a [Field],
    pub(super) names: Vec<Name>,
    /// The best name that starts at each token.
    pub(super) mentions: Vec<Option<Mention>>,
    pub(super) words: &'static Words,
    out: Pairs,
    last: Option<Order>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(sentence: &'a str, fields: &'a [Field]) -> Self {
        let names = fields.iter().map(|f| Name::new(&f.label)).collect();
        let tokens = cut(sentence);
        let mut reader = Reader {
            sentence,
            tokens,
            fields,
            names,
            mentions: Vec::new(),
            words: words(),
            out: Pairs::default(),
            last: None,
        };
        reader.mentions = (0..reader.tokens.len()).map(|i| reader.find_mention(i)).collect();
        reader
    }

    pub(super) fn read(mut self) -> Pairs {
        self.read_clauses();
        if self.out.pairs.is_empty() {
            // Nothing was recognised, so where the clauses end is not ours to say.
            self.out.rest.clear();
            let count = self.tokens.len();
            let separates = |i: usize| matches!(self.kind(i), Some(Kind::Separator | Kind::SoftSeparator));
            let mut start = 0;
            loop {
                let next = self.skip(start, count, &[&self.words.all.connectors.join]);
                let next = (next..count).find(|i| !separates(*i)).unwrap_or(count);
                if next == start {
                    break;
                }
                start = next;
            }
            let end = (start..count).rev().find(|i| !separates(*i)).map_or(start, |e| e + 1);
            self.rest(start, end);
        }
        self.out
    }

    fn read_clauses(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() {
            if self.kind(at) == Some(Kind::Separator) {
                at += 1;
                continue;
            }
            let end = (at..self.tokens.len()).find(|i| self.kind(*i) == Some(Kind::Separator));
            let end = end.unwrap_or(self.tokens.len());
            self.clause(at, end);
            at = end;
        }
    }

    /// Reads one clause: tokens without a separator.
    fn clause(&mut self, from: usize, end: usize) {
        if self.continues(from, end) {
            return;
        }
        let mut at = from;
        while at < end {
            let start = self.skip(at, end, &[&self.words.all.connectors.join]);
            let sign = |i: &usize| !matches!(self.kind(*i), Some(Kind::SoftSeparator | Kind::Assign));
            let start = (start..end).find(sign).unwrap_or(end);
            if start >= end {
                break;
            }
            let next = self
                .name_first(start, end)
                .or_else(|| self.value_first(start, end))
                .or_else(|| self.value_alone(start, end));
            at = match next {
                Some(next) => next,
                None => {
                    let stop = self.next_start(start, end);
                    self.rest(start, stop);
                    stop
                }
            };
        }
    }

    /// A clause that goes on with the value before: free text with commas, or the Inc. of a company.
    fn continues(&mut self, from: usize, end: usize) -> bool {
        let Some(pair) = self.out.pairs.last() else { return false };
        let followed = self.out.rest.last().is_some_and(|r| r.span.start > pair.span.start);
        let behind = from.checked_sub(1).and_then(|b| self.tokens.get(b)).map_or(0, |t| t.span.start);
        let quoted = pair.value_span.end != pair.span.end;
        // Only right behind the value, and not over a line break or full stop.
        let gap = self.sentence.get(pair.span.end..behind).unwrap_or("x");
        let comma = self.sentence.get(behind..).is_some_and(|s| s.starts_with([',', '，', ';', '；']));
        if followed || quoted || !gap.trim().is_empty() || !comma {
            return false;
        }
        let last = self.text(end.saturating_sub(1), end).to_lowercase();
        let suffixes = &self.words.all.marks.company_suffix;
        let suffix = (words::is(suffixes, self.text(from, end)) || suffixes.contains(&last))
            && !self.is_start(from, end, false, false);
        let free = self
            .fields
            .iter()
            .position(|f| f.id == pair.field)
            .is_some_and(|f| self.names[f].kind() == words::Kind::Free);
        let goes_on = suffix || free && !self.is_start(from, end, true, false) && self.choice_of(from, end).is_none();
        if !goes_on {
            return false;
        }
        let to = self.span(from, end).end;
        if let Some(pair) = self.out.pairs.last_mut() {
            pair.value_span.end = to;
            pair.span.end = to;
            pair.value = self.sentence.get(pair.value_span.clone()).unwrap_or_default().to_string();
        }
        true
    }

    /// "(set the) customer (field) (to) Sample Ltd"; gives the token behind the pair.
    fn name_first(&mut self, from: usize, end: usize) -> Option<usize> {
        let (lead, negated, mention, at) = self.lead(from, end)?;
        let field = self.fields.get(mention.field)?;
        let mut behind = self.behind_name(mention.end, end);
        if behind >= end && self.is_typical(mention.end, end, mention.field) {
            // "unit box" is no box called unit.
            behind = mention.end;
        }
        let mut value_from = self.replaced(self.assign(behind, end), end);
        let mut value_to = self.value_end(value_from, end, mention.field);
        if value_from >= value_to && value_from > behind {
            // Nothing behind the assigning word: it was the value, as in 是否加急 是.
            value_from = (behind..end).find(|i| self.kind(*i) != Some(Kind::Assign)).unwrap_or(end);
            value_to = end;
        }
        let checkbox = matches!(field.role, Role::Checkbox | Role::Switch);
        if checkbox {
            let said = self.text(value_from, value_to);
            let truth = if value_from >= value_to {
                Some(true)
            } else {
                self.words.truth(self.unquoted(value_from, value_to).0)
            };
            let value = match (truth, lead, negated) {
                (None, _, _) => return None,
                (Some(_), Lead::Untick, _) | (Some(_), _, true) if said.is_empty() => "no",
                (Some(_), _, _) if said.is_empty() => "yes",
                (Some(_), _, _) => said,
            };
            let span = self.span(from, value_to.max(mention.end));
            let value_span = if said.is_empty() { self.span(at, mention.end) } else { self.span(value_from, value_to) };
            let value = value.to_string();
            self.push(&mention, value, value_span, span);
            self.last = Some(Order::NameFirst);
            return Some(value_to.max(behind));
        }
        if value_from >= value_to || negated || lead != Lead::Enter {
            return None;
        }
        // "客户和数量分别是": two names at once are not understood.
        let joined = self.word(value_from, value_to, &[&self.words.all.connectors.join]);
        if joined.is_some_and(|next| self.mentions.get(next).is_some_and(Option::is_some)) {
            return None;
        }
        let (value, span) = self.value(value_from, value_to, mention.field);
        self.push(&mention, value.to_string(), span, self.span(from, value_to));
        self.last = Some(Order::NameFirst);
        Some(value_to)
    }

    /// Words in front of a field's name, the name, and the token where it starts.
    fn lead(&self, from: usize, end: usize) -> Option<(Lead, bool, Mention, usize)> {
        let all = &self.words.all;
        let (actions, connectors) = (&all.actions, &all.connectors);
        let mut lead = Lead::Enter;
        let mut negated = false;
        let mut at = from;
        loop {
            if let Some(mention) = self.mentions.get(at).cloned().flatten().filter(|m| m.end <= end) {
                return Some((lead, negated, mention, at));
            }
            let tick = self.word(at, end, &[&actions.tick]);
            let untick = self.word(at, end, &[&actions.untick]);
            let enter = self.word(
                at,
                end,
                &[
                    &actions.type_text,
                    &actions.choose,
                    &actions.add,
                    &connectors.introduce,
                    &connectors.filler,
                    &connectors.join,
                ],
            );
            let negate = self.word(at, end, &[&connectors.negate]);
            // The longest word wins: 取消勾选 before 勾选, "fill in" before "fill".
            let longest = [tick, untick, enter, negate].into_iter().flatten().max()?;
            if untick == Some(longest) {
                lead = Lead::Untick;
            } else if tick == Some(longest) {
                lead = Lead::Tick;
            } else if negate == Some(longest) && enter != Some(longest) {
                negated = true;
            }
            at = longest;
        }
    }

    /// Where the value that starts at `from` ends: at the next start of something, or at the clause's end.
    fn value_end(&self, from: usize, end: usize, field: usize) -> usize {
        let kind = self.names.get(field).map_or(words::Kind::Text, Name::kind);
        let free = kind == words::Kind::Free;
        for at in from..end {
            let colon = self.kind(at) == Some(Kind::Assign) && self.gap_before(at + 1);
            let starts = || self.is_start(at + 1, end, free, false) || !free && self.is_known_name(at + 1, end);
            if self.joins(at, end, free, false).is_some() || colon && starts() {
                return at;
            }
            if at > from && self.breaks_in(at, end, kind) {
                return at;
            }
        }
        end
    }

    /// Whether a joining word stands here with the start of something behind it.
    fn joins(&self, at: usize, end: usize, free: bool, after_value: bool) -> Option<usize> {
        let connectors = &self.words.all.connectors;
        if self.kind(at) == Some(Kind::SoftSeparator) {
            return self.is_start(at + 1, end, free, after_value).then_some(at + 1);
        }
        // Chinese joins are single characters of many names; only whole commands or names with values count behind.
        let mut next = self.word(at, end, &[&connectors.join, &connectors.introduce])?;
        next = self.skip(next, end, &[&connectors.join]);
        self.is_start(next, end, free, after_value).then_some(next)
    }

    /// Whether a new pair begins here without any joining word.
    fn breaks_in(&self, at: usize, end: usize, kind: words::Kind) -> bool {
        use words::Kind as Holds;
        if kind == Holds::Free {
            return false;
        }
        let narrow = matches!(kind, Holds::Number | Holds::Date | Holds::Phone | Holds::Email | Holds::Flag);
        let whole = |(_, from, to): (usize, usize, usize)| from == at && to == end;
        let alone = narrow && self.gap_before(at) && !self.is_unit(at, end);
        if alone && self.choice_of(at, end).is_some_and(whole) {
            return true;
        }
        if self.is_command(at, end) && (self.is_character(at) || self.kind(at) == Some(Kind::Quoted)) {
            return self.is_last_command(at, end);
        }
        let Some(mention) = self.mentions.get(at).and_then(Option::as_ref).filter(|m| m.end <= end) else {
            return false;
        };
        let behind = self.behind_name(mention.end, end);
        let assigned = self.assign(behind, end);
        if assigned > behind && assigned < end {
            return true;
        }
        if self.fits(mention.field, mention.end, end) == Some(true) {
            return true;
        }
        // Numbers and dates hold no names, and between Chinese names a blank is a comma.
        let apart = self.gap_before(at) && self.is_character(at);
        if (narrow || apart) && mention.end < end {
            return true;
        }
        // "Sample Ltd category Retail": a small name after a capital, the same as a label.
        let small = self.text(at, at + 1).starts_with(char::is_lowercase);
        let capital = self.text(at - 1, at).starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        mention.equal && small && capital && mention.end < end
    }

    /// Whether something that is not the value before begins at this token; `after_value` when what came before was
    /// said value first, so that the next may be said so without a verb.
    fn is_start(&self, at: usize, end: usize, free: bool, after_value: bool) -> bool {
        if at >= end {
            return false;
        }
        if self.is_command(at, end) {
            return true;
        }
        if let Some((lead, _, mention, _)) = self.lead(at, end) {
            let behind = self.behind_name(mention.end, end);
            let assigned = self.assign(behind, end) > behind;
            let flag = self.fields.get(mention.field).is_some_and(|f| matches!(f.role, Role::Checkbox | Role::Switch));
            let fits = self.fits(mention.field, behind, end);
            return if flag {
                lead != Lead::Enter || behind >= end || assigned || !free && self.next_is_truth(behind, end)
            } else if behind >= end {
                false
            } else if free {
                assigned || fits == Some(true)
            } else {
                assigned || fits != Some(false)
            };
        }
        // A value with its field behind it: "and 12.50 into price".
        self.find_value_first(at, end).is_some_and(|(verb, ..)| verb || after_value)
    }

    /// "type Sample Ltd into Customer name".
    fn value_first(&mut self, from: usize, end: usize) -> Option<usize> {
        let (verb, value_from, value_to, mention, next) = self.find_value_first(from, end)?;
        if !verb && self.last != Some(Order::ValueFirst) {
            return None;
        }
        let (value, span) = self.value(value_from, value_to, mention.field);
        self.push(&mention, value.to_string(), span, self.span(from, next));
        self.last = Some(Order::ValueFirst);
        Some(next)
    }

    /// Whether a verb is said, the value's tokens, the field, the token behind all of it.
    fn find_value_first(&self, from: usize, end: usize) -> Option<(bool, usize, usize, Mention, usize)> {
        let all = &self.words.all;
        let (actions, connectors) = (&all.actions, &all.connectors);
        let polite = self.skip(from, end, &[&connectors.join, &connectors.filler]);
        let verbs = [&actions.type_text, &actions.choose, &actions.add];
        let mut value_from = self.skip(polite, end, &verbs);
        let mut verb = value_from > polite;
        if !verb {
            value_from = from;
        }
        if value_from < end && matches!(self.text(value_from, value_from + 1), "把" | "将") {
            value_from += 1;
            verb = true;
        }
        for at in value_from + 1..end {
            let Some(into) = self.word(at, end, &[&connectors.into]) else { continue };
            let named = self.skip(into, end, &[&connectors.filler, &connectors.introduce, &connectors.into]);
            let Some(mention) = self.mentions.get(named).cloned().flatten().filter(|m| m.end <= end) else { continue };
            let next = self.behind_name(mention.end, end);
            if next >= end || self.joins(next, end, false, true).is_some() || self.is_command(next, end) {
                return Some((verb, value_from, at, mention, next));
            }
        }
        None
    }

    /// A value that belongs to one field only: a radio button's text, an entry of a list, 月结.
    fn value_alone(&mut self, from: usize, end: usize) -> Option<usize> {
        let (field, value_from, value_to) = self.choice_of(from, end)?;
        let mention = Mention { end: value_to, field, others: Vec::new(), score: 0.7, equal: false };
        let (value, span) = self.value(value_from, value_to, field);
        self.push(&mention, value.to_string(), span, self.span(from, value_to));
        // Its name behind it belongs to it.
        let name = self.mentions.get(value_to).and_then(Option::as_ref);
        Some(name.filter(|m| m.field == field && m.end <= end).map_or(value_to, |m| m.end))
    }

    fn choice_of(&self, from: usize, end: usize) -> Option<(usize, usize, usize)> {
        let all = &self.words.all;
        let actions = &all.actions;
        let lead = [&actions.choose, &actions.tick, &actions.type_text, &all.connectors.filler, &all.connectors.join];
        let start = self.skip(from, end, &lead);
        let stop = (start + 1..end).find(|at| self.joins(*at, end, false, false).is_some()).unwrap_or(end);
        if start >= stop {
            return None;
        }
        let free = |f: &usize| self.fields.get(*f).is_some_and(|f| !self.out.pairs.iter().any(|p| p.field == f.id));
        // "cash payment", 现金结算: the value with the field's name behind it.
        let named = (start + 1..stop).find_map(|at| {
            let mention = self.mentions.get(at)?.as_ref()?;
            (mention.end == stop).then_some((at, mention.field))
        });
        if let Some((at, field)) = named {
            let offered = self.fields.get(field).is_some_and(|f| f.choice(self.text(start, at)).is_some());
            if free(&field) && (offered || self.is_typical(start, at, field)) {
                return Some((field, start, at));
            }
        }
        let said = self.unquoted(start, stop).0;
        let offers: Vec<usize> =
            (0..self.fields.len()).filter(free).filter(|f| self.fields[*f].choice(said).is_some()).collect();
        if let [only] = offers[..] {
            return Some((only, start, stop));
        }
        let concepts = self.words.concepts_of_value(said);
        let typical: Vec<usize> = (0..self.fields.len())
            .filter(free)
            .filter(|f| {
                self.fields[*f].choices.is_empty() && self.names[*f].concept().is_some_and(|c| concepts.contains(&c))
            })
            .filter(|f| !matches!(self.fields[*f].role, Role::Checkbox | Role::Switch))
            .collect();
        if let [only] = typical[..] { Some((only, start, stop)) } else { None }
    }

    /// Where the next thing starts inside a clause that is not understood from its start.
    fn next_start(&self, from: usize, end: usize) -> usize {
        let all = &self.words.all;
        let entering = [&all.actions.add, &all.actions.type_text, &all.actions.choose, &all.actions.new];
        let foreign = self.is_command(from, end) && self.word(from, end, &entering).is_none();
        // "save and close" is one thing to do.
        let phrase = self.word(from, end, &[&all.verbs.commit]).unwrap_or(from);
        for at in phrase.max(from + 1)..end {
            let named = self.mentions.get(at).is_some_and(Option::is_some) && self.is_character(at);
            if named && !foreign && self.gap_before(at) && self.is_start(at, end, false, false) {
                return at;
            }
            let colon = self.kind(at) == Some(Kind::Assign) && !foreign;
            if colon && self.is_start(at + 1, end, false, false) {
                return at + 1;
            }
            // "Delete the order with customer X" is no order to enter X.
            let introduced = self.word(at, end, &[&all.connectors.introduce]).is_some()
                && self.word(at, end, &[&all.connectors.join]).is_none();
            if !(introduced && foreign) && self.joins(at, end, false, false).is_some() {
                return at;
            }
        }
        end
    }

    fn push(&mut self, mention: &Mention, value: String, value_span: Range<usize>, span: Range<usize>) {
        let Some(field) = self.fields.get(mention.field) else { return };
        self.out.pairs.push(Pair {
            field: field.id,
            label: field.label.clone(),
            role: field.role,
            value,
            value_span,
            span,
            score: mention.score,
            others: mention.others.iter().filter_map(|f| self.fields.get(*f)).map(|f| f.id).collect(),
        });
    }

    fn rest(&mut self, from: usize, to: usize) {
        // A colon between what is announced and the pairs belongs to neither.
        let last = to.checked_sub(1).filter(|l| self.kind(*l) == Some(Kind::Assign)).unwrap_or(to);
        let span = self.span(from, last);
        if !span.is_empty() {
            let text = self.sentence.get(span.clone()).unwrap_or_default().to_string();
            let command = self.begins_command(from, last);
            self.out.rest.push(Rest { text, span, command });
        }
    }
}
