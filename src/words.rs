//! Word lists of both languages: which words mean save, quantity, failed, tick, yes.
//!
//! The lists are data (`assets/words/*.toml`, one file a language, embedded); no other room has words of its own.
//! This module knows no other room, so that `policy`, `agent` and `workflow` can share it without knowing each other.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;

const EN: &str = include_str!("../assets/words/en.toml");
const ZH: &str = include_str!("../assets/words/zh.toml");
const KINDS: &str = include_str!("../assets/words/kinds.toml");

/// A list of words or short phrases, normalised as [`norm`] does, longest first where phrases are searched.
pub type List = Vec<String>;

/// The words of one language, or of all of them merged.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lexicon {
    /// `en`, `zh`, or `all`.
    pub language: String,
    /// Names of business fields by concept (`customer`, `quantity`, ...); the ids are the same in every language.
    pub concepts: BTreeMap<String, List>,
    /// Short forms of single words (`qty` for `quantity`).
    pub abbreviations: BTreeMap<String, String>,
    /// Values that by themselves tell which concept they belong to (`月结`: payment).
    pub typical: BTreeMap<String, List>,
    pub verbs: Verbs,
    pub outcome: Outcome,
    pub answers: Answers,
    pub actions: Actions,
    pub values: Truth,
    pub connectors: Connectors,
    pub roles: RoleWords,
    pub marks: Marks,
}

/// What buttons do that somebody may regret.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Verbs {
    /// Ends the entry of one record: save, submit, 保存.
    pub commit: List,
    /// Cannot be taken back by pressing a button: save, send, pay, 过账.
    pub irreversible: List,
    /// Loses something that exists: delete, clear all, 作废.
    pub destructive: List,
    /// What is dropped on it is lost: recycle bin, 回收站.
    pub bin: List,
}

/// Words of a program's answer.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Outcome {
    pub success: List,
    pub failure: List,
    /// Turns the word behind it round: "not saved", 未保存.
    pub negation: List,
    /// The answer is still to come.
    pub busy: List,
}

/// Words on the buttons of a question.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Answers {
    pub affirm: List,
    pub deny: List,
    pub close: List,
    /// Yes, now and from now on.
    pub always: List,
    /// Words by which a dialog asks.
    pub asks: List,
}

/// Verbs of requests.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Actions {
    pub click: List,
    pub double_click: List,
    pub right_click: List,
    #[serde(rename = "type")]
    pub type_text: List,
    pub choose: List,
    pub tick: List,
    pub untick: List,
    pub scroll: List,
    pub drag: List,
    pub wait: List,
    pub press_key: List,
    pub open: List,
    pub new: List,
    pub clear: List,
    pub read: List,
    pub add: List,
}

/// How yes and no stand in cells and sentences.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Truth {
    pub yes: List,
    pub no: List,
}

/// Small words between the parts of a sentence.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Connectors {
    /// Between two things to do or two fields: and, then, 并.
    pub join: List,
    /// In front of a field's name: with, 把.
    pub introduce: List,
    /// Between a field's name and its value: is, to, 为.
    pub assign: List,
    /// Between a value and the field it goes into: into, 到.
    pub into: List,
    /// Carries nothing: the, please, 请.
    pub filler: List,
    /// Behind a field's name, for the place inside it: 里.
    pub inside: List,
    /// In front of the value that is to be replaced: from, 从.
    pub from: List,
    pub negate: List,
    /// In front of what must not be done: don't, 不要.
    pub forbid: List,
}

/// What people call the kinds of elements; the field names are those of `scene::Role`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RoleWords {
    pub button: List,
    pub icon: List,
    pub link: List,
    pub textbox: List,
    pub combobox: List,
    pub checkbox: List,
    pub radio: List,
    pub tab: List,
    pub menuitem: List,
    pub listitem: List,
    pub cell: List,
    pub slider: List,
    pub switch: List,
    pub text: List,
    pub image: List,
    pub window: List,
}

/// Words around labels and rows.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Marks {
    /// Stands beside a label without being part of the name: required, 必填.
    pub optional: List,
    /// First cell of a row that sums up the rows above it.
    pub total_row: List,
    /// Begins a name even where a small word would end inside it or be it: 填上海.
    pub names: List,
    /// Belongs to the name before it, even behind a comma: Inc., Ltd.
    pub company_suffix: List,
    /// Says little when two names share it: name, code, 编号.
    pub generic: List,
}

/// What kind of value a concept holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Number,
    Date,
    Phone,
    Email,
    /// Yes or no.
    Flag,
    /// Any text, other fields' names included.
    Free,
    /// Plain text: names and codes.
    Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kinds {
    number: Vec<String>,
    date: Vec<String>,
    phone: Vec<String>,
    email: Vec<String>,
    flag: Vec<String>,
    free: Vec<String>,
    /// Concept -> the wider concept that may stand for it.
    broader: BTreeMap<String, String>,
}

/// All word lists, parsed once.
#[derive(Debug, Default)]
pub struct Words {
    pub en: Lexicon,
    pub zh: Lexicon,
    /// Both languages together; what almost every caller wants.
    pub all: Lexicon,
    kinds: Kinds,
    /// Normalised name (blanks removed) -> concepts it may stand for.
    by_name: BTreeMap<String, Vec<String>>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    // The texts are embedded and a test parses them, so the defaults are never reached.
    let en: Lexicon = toml::from_str(EN).unwrap_or_default();
    let zh: Lexicon = toml::from_str(ZH).unwrap_or_default();
    Words::new(en, zh, toml::from_str(KINDS).unwrap_or_default())
});

/// The embedded word lists.
pub fn words() -> &'static Words {
    &WORDS
}

impl Words {
    fn new(mut en: Lexicon, mut zh: Lexicon, kinds: Kinds) -> Words {
        let mut all = Lexicon { language: "all".into(), ..Lexicon::default() };
        for part in [&en, &zh] {
            for (concept, names) in &part.concepts {
                all.concepts.entry(concept.clone()).or_default().extend(names.iter().cloned());
            }
            for (concept, names) in &part.typical {
                all.typical.entry(concept.clone()).or_default().extend(names.iter().cloned());
            }
            all.abbreviations.extend(part.abbreviations.clone());
        }
        for ((target, a), b) in all.lists_mut().into_iter().zip(en.lists_mut()).zip(zh.lists_mut()) {
            target.extend(a.iter().cloned());
            target.extend(b.iter().cloned());
        }
        for lexicon in [&mut en, &mut zh, &mut all] {
            for list in lexicon.lists_mut() {
                longest_first(list);
            }
        }
        let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (concept, names) in &all.concepts {
            for name in names {
                let owners = by_name.entry(squeeze(name)).or_default();
                if !owners.contains(concept) {
                    owners.push(concept.clone());
                }
            }
        }
        Words { en, zh, all, kinds, by_name }
    }

    /// Every known name of a field without blanks, with the concepts it stands for.
    pub fn names(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.by_name.iter().map(|(name, concepts)| (name.as_str(), concepts.as_slice()))
    }

    /// The concepts that exactly this name stands for (blanks, case and marks do not count); empty when unknown.
    pub fn concepts_of(&self, name: &str) -> &[String] {
        self.by_name.get(&squeeze(&norm(name))).map_or(&[], Vec::as_slice)
    }

    /// Concepts to which this very value belongs by itself (`月结`: payment).
    pub fn concepts_of_value(&self, value: &str) -> Vec<&str> {
        let value = norm(value);
        self.all.typical.iter().filter(|(_, v)| v.contains(&value)).map(|(c, _)| c.as_str()).collect()
    }

    /// What kind of value a concept holds.
    pub fn kind_of(&self, concept: &str) -> Kind {
        let has = |list: &[String]| list.iter().any(|c| c == concept);
        let k = &self.kinds;
        if has(&k.number) {
            Kind::Number
        } else if has(&k.date) {
            Kind::Date
        } else if has(&k.phone) {
            Kind::Phone
        } else if has(&k.email) {
            Kind::Email
        } else if has(&k.flag) {
            Kind::Flag
        } else if has(&k.free) {
            Kind::Free
        } else {
            Kind::Text
        }
    }

    /// Whether one of the two concepts is a narrower case of the other (`order_date` of `date`).
    pub fn related(&self, a: &str, b: &str) -> bool {
        let up = |c: &str| self.kinds.broader.get(c).map(String::as_str);
        up(a) == Some(b) || up(b) == Some(a)
    }

    /// `Some(true)` for yes-words, `Some(false)` for no-words (an empty cell included), `None` for anything else.
    pub fn truth(&self, value: &str) -> Option<bool> {
        let value = norm(value);
        if value.is_empty() || self.all.values.no.contains(&value) {
            return Some(false);
        }
        self.all.values.yes.contains(&value).then_some(true)
    }
}

impl Lexicon {
    /// The lists of words with which a new thing to do begins.
    pub fn commands(&self) -> [&List; 18] {
        let (a, v) = (&self.actions, &self.verbs);
        [
            &v.commit,
            &v.irreversible,
            &v.destructive,
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
        ]
    }

    /// Every plain list, in one fixed order.
    fn lists_mut(&mut self) -> Vec<&mut List> {
        let Lexicon {
            language: _,
            concepts: _,
            abbreviations: _,
            typical: _,
            verbs,
            outcome,
            answers,
            actions,
            values,
            connectors,
            roles,
            marks,
        } = self;
        vec![
            &mut verbs.commit,
            &mut verbs.irreversible,
            &mut verbs.destructive,
            &mut verbs.bin,
            &mut outcome.success,
            &mut outcome.failure,
            &mut outcome.negation,
            &mut outcome.busy,
            &mut answers.affirm,
            &mut answers.deny,
            &mut answers.close,
            &mut answers.always,
            &mut answers.asks,
            &mut actions.click,
            &mut actions.double_click,
            &mut actions.right_click,
            &mut actions.type_text,
            &mut actions.choose,
            &mut actions.tick,
            &mut actions.untick,
            &mut actions.scroll,
            &mut actions.drag,
            &mut actions.wait,
            &mut actions.press_key,
            &mut actions.open,
            &mut actions.new,
            &mut actions.clear,
            &mut actions.read,
            &mut actions.add,
            &mut values.yes,
            &mut values.no,
            &mut connectors.join,
            &mut connectors.introduce,
            &mut connectors.assign,
            &mut connectors.into,
            &mut connectors.filler,
            &mut connectors.inside,
            &mut connectors.from,
            &mut connectors.negate,
            &mut connectors.forbid,
            &mut roles.button,
            &mut roles.icon,
            &mut roles.link,
            &mut roles.textbox,
            &mut roles.combobox,
            &mut roles.checkbox,
            &mut roles.radio,
            &mut roles.tab,
            &mut roles.menuitem,
            &mut roles.listitem,
            &mut roles.cell,
            &mut roles.slider,
            &mut roles.switch,
            &mut roles.text,
            &mut roles.image,
            &mut roles.window,
            &mut marks.optional,
            &mut marks.total_row,
            &mut marks.names,
            &mut marks.company_suffix,
            &mut marks.generic,
        ]
    }
}

fn longest_first(list: &mut List) {
    list.sort_by(|a, b| b.chars().count().cmp(&a.chars().count()).then_with(|| a.cmp(b)));
    list.dedup();
}

/// Text as it is compared everywhere: NFKC, lower-case, typographic apostrophes made plain, runs of blanks made one,
/// trimmed, without the colon, asterisk or dots that forms put behind labels and buttons.
pub fn norm(text: &str) -> String {
    let folded: String = text.nfkc().flat_map(char::to_lowercase).map(plain).collect();
    let joined = folded.split_whitespace().collect::<Vec<_>>().join(" ");
    let bare = joined.trim_matches(|c: char| matches!(c, '*' | ':' | '…' | '。' | ',' | ';' | '!' | ' '));
    let bare = bare.strip_suffix("...").unwrap_or(bare);
    bare.trim_matches(|c: char| c == '*' || c == ' ').to_string()
}

fn plain(c: char) -> char {
    match c {
        '\u{2019}' | '\u{2018}' | '\u{02bc}' => '\'',
        '\u{2010}' | '\u{2011}' | '\u{2212}' => '-',
        other => other,
    }
}

/// A normalised name without blanks, for look-ups where blanks are a matter of taste.
pub fn squeeze(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_' | '.')).collect()
}

/// Whether a character belongs to a script that is written without blanks between words.
pub fn is_cjk(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

/// Whether `text` as a whole is one of the list's words, e.g. the label of a button.
pub fn is(list: &List, text: &str) -> bool {
    let text = norm(text);
    list.contains(&text)
}

/// The first (longest) word of the list that occurs in `text`: on word borders where the word is written with
/// letters, anywhere where it is Chinese. `text` is normalised here.
pub fn mentions<'a>(list: &'a List, text: &str) -> Option<&'a str> {
    let text = norm(text);
    list.iter().find(|w| find_word(&text, w).is_some()).map(String::as_str)
}

/// Where `word` stands in `text` (both normalised), as bytes; letters and digits must not continue on either side.
pub fn find_word(text: &str, word: &str) -> Option<Range<usize>> {
    if word.is_empty() {
        return None;
    }
    let glued = |a: Option<char>, b: Option<char>| match (a, b) {
        (Some(a), Some(b)) => a.is_alphanumeric() && b.is_alphanumeric() && !is_cjk(a) && !is_cjk(b),
        _ => false,
    };
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|t| t.find(word)) {
        let start = from + at;
        let end = start + word.len();
        let before = text[..start].chars().next_back();
        let after = text[end..].chars().next();
        if !glued(before, word.chars().next()) && !glued(word.chars().next_back(), after) {
            return Some(start..end);
        }
        from = start + text[start..].chars().next().map_or(1, char::len_utf8);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed() -> (Lexicon, Lexicon) {
        (toml::from_str(EN).expect("en.toml"), toml::from_str(ZH).expect("zh.toml"))
    }

    #[test]
    fn every_list_of_both_languages_is_filled_and_normalised() {
        let (mut en, mut zh) = parsed();
        toml::from_str::<Kinds>(KINDS).expect("kinds.toml");
        for lexicon in [&mut en, &mut zh] {
            let language = lexicon.language.clone();
            for (i, list) in lexicon.lists_mut().into_iter().enumerate() {
                assert!(!list.is_empty(), "list {i} of {language} is empty");
                for word in list.iter() {
                    // Some entries are the very marks that `norm` takes off labels, or abbreviations with their dot.
                    let bare = norm(word);
                    assert!(bare == *word || bare.is_empty(), "{word:?} of {language} is not normalised");
                }
            }
            for (concept, names) in lexicon.concepts.iter().chain(&lexicon.typical) {
                assert!(!names.is_empty(), "{concept} of {language} is empty");
                for name in names {
                    assert_eq!(&norm(name), name, "{concept} of {language}");
                }
            }
            for (short, long) in &lexicon.abbreviations {
                assert_eq!((&norm(short), &norm(long)), (short, long));
            }
        }
    }

    #[test]
    fn both_languages_speak_of_the_same_concepts() {
        let (en, zh) = parsed();
        let ids = |l: &Lexicon| l.concepts.keys().cloned().collect::<Vec<_>>();
        assert_eq!(ids(&en), ids(&zh));
        assert!(en.concepts.len() >= 60);
        let kinds: Kinds = toml::from_str(KINDS).expect("kinds.toml");
        for id in [kinds.number, kinds.date, kinds.phone, kinds.email, kinds.flag, kinds.free].concat() {
            assert!(en.concepts.contains_key(&id), "kind of an unknown concept: {id}");
        }
        for id in kinds.broader.iter().flat_map(|(a, b)| [a, b]) {
            assert!(en.concepts.contains_key(id), "relation of an unknown concept: {id}");
        }
    }

    #[test]
    fn no_chinese_joining_word_is_the_end_of_another() {
        let join = &words().zh.connectors.join;
        let ends = |w: &String| join.iter().find(|l| *l != w && l.ends_with(w.as_str())).cloned();
        let found: Vec<_> = join.iter().filter_map(|w| ends(w).map(|l| (w, l))).collect();
        assert!(found.is_empty(), "a sentence would be cut inside the longer word: {found:?}");
    }

    #[test]
    fn a_name_stands_for_one_concept_or_says_so() {
        let w = words();
        assert_eq!(w.concepts_of("Qty:"), ["quantity"]);
        assert_eq!(w.concepts_of("客户名称："), ["customer"]);
        assert_eq!(w.concepts_of("* Payment Terms"), ["payment"]);
        assert!(w.concepts_of("flux capacitor").is_empty());
        let shared: Vec<_> = w.by_name.iter().filter(|(_, c)| c.len() > 1).collect();
        assert!(shared.is_empty(), "names of more than one concept: {shared:?}");
    }

    #[test]
    fn words_are_found_on_borders_only() {
        let w = words();
        assert_eq!(mentions(&w.all.verbs.destructive, "Delete order…"), Some("delete"));
        assert_eq!(mentions(&w.all.verbs.destructive, "Deleted items"), None);
        assert_eq!(mentions(&w.all.verbs.destructive, "删除订单"), Some("删除"));
        assert_eq!(mentions(&w.all.verbs.irreversible, "保存(S)"), Some("保存"));
        assert!(is(&w.all.answers.affirm, "OK"));
        assert!(!is(&w.all.answers.affirm, "OK to delete"));
    }

    #[test]
    fn yes_and_no_are_read_in_both_languages() {
        let w = words();
        for yes in ["Yes", "y", "TRUE", "1", "x", "√", "是"] {
            assert_eq!(w.truth(yes), Some(true), "{yes}");
        }
        for no in ["No", "0", "", "否", "×"] {
            assert_eq!(w.truth(no), Some(false), "{no}");
        }
        assert_eq!(w.truth("Sample Ltd"), None);
    }
}
