//! How alike two names of a field are, in one language or across both.
//!
//! A name is taken as written, with short forms spelled out, and as the business concept that the word lists know it
//! by. Chinese names differ by single characters that matter (借方, 贷方), so only whole concepts or contained names
//! count there; names in letters forgive a slip of the eyes.

use crate::words::{self, Kind, is_cjk, norm, squeeze, words};

/// Score of two names for the same concept. Below an equal label, above everything merely similar.
pub const SYNONYM: f32 = 0.92;
/// Score where one name is a wider case of the other (Date, Order date).
const RELATED: f32 = 0.64;
/// Most that two names of different known concepts can have in common.
const CONFLICT: f32 = 0.3;

/// Why two names are taken for the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    Different,
    Similar,
    Synonym,
    Equal,
}

/// Likeness of two names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Likeness {
    /// 0..=1
    pub score: f32,
    pub reason: Reason,
}

/// A concept that a name may stand for.
#[derive(Debug, Clone, PartialEq)]
struct Hit {
    concept: &'static str,
    /// 1 when the whole name is known, less with a slip or with words around it.
    strength: f32,
}

/// One way to read a name.
#[derive(Debug, Clone)]
struct Form {
    squeezed: String,
    /// Short forms spelled out.
    tokens: Vec<String>,
    spelled: String,
    hits: Vec<Hit>,
    cjk: bool,
}

/// A name prepared for comparing; prepare once, compare often.
#[derive(Debug, Clone)]
pub struct Name {
    /// The whole name first, then its parts where it is written in two ways (`数量 / Qty`).
    forms: Vec<Form>,
}

impl Name {
    /// Prepares a label or column name as written.
    pub fn new(written: &str) -> Name {
        let whole = strip_marks(&norm(&split_camel(written)));
        let bare = without_brackets(&whole);
        let mut forms: Vec<Form> = Form::new(&bare).into_iter().collect();
        let mut parts: Vec<String> = bare.split(['/', '|', '、', '\n']).map(str::to_string).collect();
        if parts.len() == 1 {
            parts = by_script(&bare);
        }
        if parts.len() > 1 {
            // Parts count only where every one of them is a name in its own right: size/colour is not bilingual.
            let known: Vec<Form> = parts.iter().filter_map(|p| Form::new(p.trim())).collect();
            let same = known.iter().all(|f| f.hits.iter().any(|h| h.strength >= 1.0));
            if same {
                forms.extend(known);
            }
        }
        Name { forms }
    }

    /// Whether nothing is left of the name.
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// The concept that the name most likely stands for.
    pub fn concept(&self) -> Option<&'static str> {
        let hits = self.forms.iter().flat_map(|f| &f.hits);
        hits.max_by(|a, b| a.strength.total_cmp(&b.strength)).map(|h| h.concept)
    }

    /// What kind of value belongs into a field of this name, as far as its name tells.
    pub fn kind(&self) -> Kind {
        self.concept().map_or(Kind::Text, |c| words().kind_of(c))
    }

    /// Likeness of two names.
    pub fn likeness(&self, other: &Name) -> Likeness {
        let mut best = Likeness { score: 0.0, reason: Reason::Different };
        for (i, a) in self.forms.iter().enumerate() {
            for (j, b) in other.forms.iter().enumerate() {
                let mut found = a.likeness(b);
                if i > 0 || j > 0 {
                    found.score *= 0.97;
                    found.reason = found.reason.min(Reason::Synonym);
                }
                if found.score > best.score {
                    best = found;
                }
            }
        }
        best
    }
}

impl Form {
    fn new(name: &str) -> Option<Form> {
        let tokens = tokens(name);
        if tokens.is_empty() {
            return None;
        }
        let squeezed = squeeze(&tokens.concat());
        let spelled: Vec<String> = tokens.iter().map(|t| spell_out(t)).collect();
        let cjk = squeezed.chars().any(is_cjk);
        let hits = hits(name, &squeezed, &tokens, &spelled, cjk);
        Some(Form { squeezed, spelled: squeeze(&spelled.concat()), tokens: spelled, hits, cjk })
    }

    fn likeness(&self, other: &Form) -> Likeness {
        if self.squeezed == other.squeezed {
            return Likeness { score: 1.0, reason: Reason::Equal };
        }
        if self.spelled == other.spelled {
            return Likeness { score: 0.97, reason: Reason::Equal };
        }
        let mut concept = 0.0f32;
        let mut related = false;
        for a in &self.hits {
            for b in &other.hits {
                if a.concept == b.concept {
                    concept = concept.max(SYNONYM * a.strength.min(b.strength));
                } else {
                    related |= a.strength.min(b.strength) >= 0.85 && words().related(a.concept, b.concept);
                }
            }
        }
        if concept >= SYNONYM {
            return Likeness { score: SYNONYM, reason: Reason::Synonym };
        }
        let mut text = match (self.cjk, other.cjk) {
            (false, false) => self.likeness_of_letters(other),
            (true, true) => self.likeness_of_characters(other),
            (true, false) | (false, true) => 0.0,
        };
        let known = |f: &Form| f.hits.iter().any(|h| h.strength >= 0.85);
        if concept == 0.0 && known(self) && known(other) {
            // Both are known, as different things: sharing a word says little then.
            text = text.min(CONFLICT);
        }
        if related {
            concept = concept.max(RELATED);
        }
        let score = concept.max(text);
        Likeness { score, reason: if score > 0.0 { Reason::Similar } else { Reason::Different } }
    }

    /// Names in letters: shared words, rare ones more than `name` or `no`, and slips of a letter.
    fn likeness_of_letters(&self, other: &Form) -> f32 {
        let slip = strsim::normalized_damerau_levenshtein(&self.spelled, &other.spelled) as f32;
        let slip = if self.spelled.len().min(other.spelled.len()) >= 4 && slip >= 0.8 { slip * 0.95 } else { 0.0 };
        let weight = |t: &String| if words::is(&words().all.marks.generic, t) { 0.5 } else { 1.0 };
        let same = |a: &String, b: &String| {
            a == b || (a.len() >= 5 && b.len() >= 4 && strsim::normalized_damerau_levenshtein(a, b) >= 0.8)
        };
        let total: f32 = self.tokens.iter().chain(&other.tokens).map(weight).sum();
        let shared = |from: &Form, to: &Form| -> f32 {
            from.tokens.iter().filter(|t| to.tokens.iter().any(|o| same(t, o))).map(weight).sum()
        };
        let mut overlap = 0.9 * (shared(self, other) + shared(other, self)) / total.max(0.1);
        // The last word names the thing: a delivery date is no delivery address.
        if let (Some(a), Some(b)) = (self.tokens.last(), other.tokens.last()) {
            let found = |t: &String, f: &Form| f.tokens.iter().any(|o| same(t, o));
            if !found(a, other) && !found(b, self) {
                overlap = overlap.min(0.45);
            }
        }
        slip.max(overlap)
    }

    /// Chinese names: one inside the other, or shared pairs of characters; never enough by pairs alone.
    fn likeness_of_characters(&self, other: &Form) -> f32 {
        let (short, long) = if self.squeezed.chars().count() <= other.squeezed.chars().count() {
            (&self.squeezed, &other.squeezed)
        } else {
            (&other.squeezed, &self.squeezed)
        };
        let ratio = short.chars().count() as f32 / long.chars().count() as f32;
        if short.chars().count() >= 2 && long.contains(short.as_str()) {
            // At the end it is the thing itself with something said about it, in front it only says something.
            return if long.ends_with(short.as_str()) { 0.55 + 0.35 * ratio } else { 0.3 + 0.3 * ratio };
        }
        let pairs = |s: &str| -> Vec<(char, char)> { s.chars().zip(s.chars().skip(1)).collect() };
        let (a, b) = (pairs(short), pairs(long));
        let shared = a.iter().filter(|p| b.contains(p)).count() as f32;
        let dice = 2.0 * shared / (a.len() + b.len()).max(1) as f32;
        (dice * 0.7).min(0.5)
    }
}

/// Concepts of a name: known as a whole, known but for a slip, or known from its end on.
fn hits(name: &str, squeezed: &str, tokens: &[String], spelled: &[String], cjk: bool) -> Vec<Hit> {
    let w = words();
    let exact = |text: &str| w.concepts_of(text).iter().map(|c| Hit { concept: c, strength: 1.0 }).collect::<Vec<_>>();
    for text in [name.to_string(), tokens.concat(), spelled.concat()] {
        let found = exact(&text);
        if !found.is_empty() {
            return found;
        }
    }
    let mut out: Vec<Hit> = Vec::new();
    let mut add = |concept: &'static str, strength: f32| match out.iter_mut().find(|h| h.concept == concept) {
        Some(hit) => hit.strength = hit.strength.max(strength),
        None => out.push(Hit { concept, strength }),
    };
    let spelled_whole = squeeze(&spelled.concat());
    let count = squeezed.chars().count();
    for (known, concepts) in w.names() {
        if cjk {
            let length = known.chars().count();
            if length >= 2 && squeezed.ends_with(known) {
                for c in concepts {
                    add(c, 0.62 + 0.25 * length as f32 / count as f32);
                }
            }
        } else if known.len() >= 5 && known.len().abs_diff(spelled_whole.len()) <= 2 {
            let alike = strsim::normalized_damerau_levenshtein(known, &spelled_whole) as f32;
            if alike >= 0.84 {
                for c in concepts {
                    add(c, 0.9 * alike);
                }
            }
        }
    }
    if !cjk {
        // Words in front only say more about the thing: customer phone number.
        for skip in 1..tokens.len() {
            let end = [&tokens[skip..], &spelled[skip..]].map(|t| w.concepts_of(&t.concat()));
            for c in end.into_iter().flatten() {
                let generic = tokens[skip..].iter().all(|t| words::is(&w.all.marks.generic, t));
                let coverage = (tokens.len() - skip) as f32 / tokens.len() as f32;
                add(c, if generic { 0.5 } else { 0.62 + 0.25 * coverage });
            }
        }
    }
    out
}

/// Words of a normalised name: runs of letters and digits, runs of Chinese; `#` and `%` mean something on forms.
fn tokens(name: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut last = ' ';
    for c in name.chars() {
        let keep = c.is_alphanumeric() || matches!(c, '#' | '%' | '\'');
        if keep {
            let goes_on =
                (last.is_alphanumeric() || last == '\'') && is_cjk(last) == is_cjk(c) && !matches!(c, '#' | '%');
            match out.last_mut() {
                Some(token) if goes_on => token.push(c),
                Some(_) | None => out.push(c.to_string()),
            }
        }
        last = c;
    }
    out
}

fn spell_out(token: &str) -> String {
    words().all.abbreviations.get(token).cloned().unwrap_or_else(|| token.to_string())
}

/// `UnitPrice` and `unit_price` as words.
fn split_camel(written: &str) -> String {
    let mut out = String::with_capacity(written.len() + 4);
    let mut last = ' ';
    for c in written.chars() {
        if c.is_uppercase() && last.is_lowercase() {
            out.push(' ');
        }
        out.push(if c == '_' { ' ' } else { c });
        last = c;
    }
    out
}

/// Without a number in front, an access key, and words like `required` or `请输入` around the name.
fn strip_marks(name: &str) -> String {
    let mut name = name.replace('&', " ").trim().to_string();
    let digits = name.len() - name.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0
        && let Some(rest) = name[digits..].strip_prefix(['.', ')', '、'])
    {
        name = rest.trim().to_string();
    }
    for mark in &words().all.marks.optional {
        let cut = |rest: Option<&str>| rest.map(str::trim).filter(|r| !r.is_empty()).map(str::to_string);
        let spaced = !mark.chars().any(is_cjk);
        let before = name.strip_prefix(mark.as_str()).filter(|r| !spaced || r.starts_with(' '));
        if let Some(rest) = cut(before) {
            name = rest;
        }
        let behind = name.strip_suffix(mark.as_str()).filter(|r| !spaced || r.ends_with([' ', ',', '-']));
        if let Some(rest) = cut(behind) {
            name = rest;
        }
    }
    name.trim_matches([' ', ':', '*', ',', '-']).to_string()
}

/// Without what stands in brackets (units, hints), unless nothing else is there.
fn without_brackets(name: &str) -> String {
    let mut out = String::new();
    let mut depth = 0usize;
    for c in name.chars() {
        match c {
            '(' | '[' | '【' | '〔' | '<' => depth += 1,
            ')' | ']' | '】' | '〕' | '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    if out.is_empty() { name.to_string() } else { out }
}

/// `客户 Customer` cut where the script changes.
fn by_script(name: &str) -> Vec<String> {
    let cjk: String = name.chars().map(|c| if is_cjk(c) { c } else { ' ' }).collect();
    let other: String = name.chars().map(|c| if is_cjk(c) { ' ' } else { c }).collect();
    let parts = [cjk, other].map(|p| p.trim().to_string());
    if parts.iter().all(|p| p.chars().filter(|c| c.is_alphabetic()).count() >= 2) { parts.into() } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(a: &str, b: &str) -> f32 {
        let (a, b) = (Name::new(a), Name::new(b));
        let there = a.likeness(&b);
        assert_eq!(there, b.likeness(&a), "likeness goes both ways");
        there.score
    }

    #[test]
    fn names_of_the_same_field_are_alike() {
        for (a, b) in [
            ("Customer name", "Customer Name *"),
            ("customer_name", "CustomerName"),
            ("Qty", "Quantity:"),
            ("数量", "Qty."),
            ("客户", "Customer name"),
            ("购货单位", "Client"),
            ("Order No.", "订单编号"),
            ("Art. Nr.", "Product code"),
            ("货号", "SKU"),
            ("单价（元）", "Unit price"),
            ("结算方式", "Payment terms"),
            ("Tel.", "联系电话"),
            ("* 备注：", "Remarks"),
            ("请输入客户名称", "客户"),
            ("Please enter phone number", "Phone"),
            ("数量 / Qty", "Quantity"),
            ("客户 Customer", "Buyer"),
            ("Deliv. date", "交货日期"),
            ("Customer narne", "Customer name"),
            ("Quantlty", "Quantity"),
            ("Credit Limit (EUR)", "信用额度"),
            ("Amt", "金额"),
            ("Flux capacity", "Flux capacity (F)"),
        ] {
            assert!(score(a, b) >= 0.75, "{a} / {b}: {}", score(a, b));
        }
    }

    #[test]
    fn names_of_different_fields_are_not() {
        for (a, b) in [
            ("Customer name", "Customer code"),
            ("客户名称", "客户编码"),
            ("借方金额", "贷方金额"),
            ("开始时间", "结束时间"),
            ("入库日期", "开票日期"),
            ("Delivery date", "Delivery address"),
            ("Order no", "Order date"),
            ("Unit", "Unit price"),
            ("单位", "单价"),
            ("Price", "Quantity"),
            ("Phone", "Fax"),
            ("Payment terms", "Delivery terms"),
            ("First name", "Last name"),
            ("Minimum", "Maximum"),
            ("Tax rate", "Tax amount"),
            ("金额", "税额"),
            ("Remark", "Rank"),
            ("产品", "产品编码"),
            ("Net", "Gross"),
        ] {
            assert!(score(a, b) < 0.6, "{a} / {b}: {}", score(a, b));
        }
    }

    #[test]
    fn a_wider_name_is_less_than_a_synonym_and_more_than_nothing() {
        for (a, b) in [("Date", "Order date"), ("日期", "订单日期"), ("Code", "Product code"), ("客户联系电话", "电话")]
        {
            let s = score(a, b);
            assert!((0.6..SYNONYM).contains(&s), "{a} / {b}: {s}");
        }
    }

    #[test]
    fn an_equal_label_beats_a_synonym() {
        assert!(score("客户", "客户：") > score("客户", "往来单位"));
        assert_eq!(Name::new("Qty").likeness(&Name::new("件数")).reason, Reason::Synonym);
        assert_eq!(Name::new("Qty").likeness(&Name::new("Quantity")).reason, Reason::Equal);
    }

    proptest::proptest! {
        #[test]
        fn any_label_can_be_compared(a in "\\PC{0,20}", b in "[a-zA-Z 客户数量:*()#/_.]{0,20}") {
            let s = score(&a, &b);
            proptest::prop_assert!((0.0..=1.0).contains(&s));
        }
    }
}
