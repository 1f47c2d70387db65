//! Splitting a sentence into the things to do, in order.
//!
//! "Enter customer Sample Ltd, quantity 3 and save" is two things: the fields, then the button. A clause begins
//! after a joining word or mark, and only where a verb of doing follows; never inside quotes or inside a value.

use std::ops::Range;

use crate::words::{Lexicon, List, find_word, is_cjk, words};

/// The clauses of `sentence`, in order; `values` are the byte ranges of values to be entered, which are never cut.
pub fn clauses(sentence: &str, values: &[Range<usize>]) -> Vec<String> {
    let lexicon = &words().all;
    let mut cuts = vec![0];
    let quoted = quoted_ranges(sentence);
    for (at, _) in sentence.char_indices().skip(1) {
        let inside = |range: &Range<usize>| range.start < at && at < range.end;
        if quoted.iter().any(inside) || values.iter().any(inside) {
            continue;
        }
        if let Some(length) = joint_at(sentence, at, lexicon) {
            let rest = sentence.get(at + length..).unwrap_or_default();
            let begins = begins_with_verb(rest, lexicon) || is_forbidden(strip_joints(rest, lexicon), lexicon);
            if begins && cuts.last().is_none_or(|last| *last < at) {
                cuts.push(at);
            }
        }
    }
    cuts.push(sentence.len());
    cuts.windows(2)
        .filter_map(|pair| sentence.get(pair[0]..pair[1]))
        .map(|clause| strip_joints(clause, lexicon).to_string())
        .filter(|clause| !clause.is_empty() && !is_forbidden(clause, lexicon))
        .collect()
}

/// The length of the joining word or mark at `at`, blanks included.
fn joint_at(sentence: &str, at: usize, lexicon: &Lexicon) -> Option<usize> {
    let rest = sentence.get(at..)?;
    let first = rest.chars().next()?;
    if matches!(first, ',' | ';' | '，' | '；' | '。' | '、' | '\n') {
        let after = rest[first.len_utf8()..].trim_start();
        return Some(rest.len() - strip_joints(after, lexicon).len());
    }
    let before = sentence[..at].chars().next_back();
    let word = leading_word(rest, &lexicon.connectors.join)?;
    let bounded = is_cjk(first) || before.is_none_or(|c| !c.is_alphanumeric() || is_cjk(c));
    if !bounded {
        return None;
    }
    let after = rest[word..].trim_start();
    Some(rest.len() - strip_joints(after, lexicon).len())
}

/// The length of the longest word of `list` that `text` begins with, on a word border.
fn leading_word(text: &str, list: &List) -> Option<usize> {
    let lower: String = text.chars().take(40).flat_map(char::to_lowercase).collect();
    list.iter().find(|word| find_word(&lower, word).is_some_and(|range| range.start == 0)).map(|word| word.len())
}

/// Without joining words, marks and fillers at its beginning, and without marks at its end.
fn strip_joints<'a>(text: &'a str, lexicon: &Lexicon) -> &'a str {
    const MARKS: [char; 9] = [',', ';', '.', '，', '；', '。', '、', '!', '！'];
    let mut rest = text.trim();
    loop {
        let before = rest;
        rest = rest.trim_start_matches(MARKS).trim_start();
        for list in [&lexicon.connectors.join, &lexicon.connectors.filler] {
            if let Some(length) = leading_word(rest, list) {
                // A verb may begin with the same characters as a filler (请 / 请求): the verb wins.
                if verb_length(rest, lexicon).is_none_or(|verb| verb <= length) {
                    rest = rest.get(length..).unwrap_or_default().trim_start();
                }
            }
        }
        if rest == before {
            break;
        }
    }
    rest.trim_end().trim_end_matches(|c: char| MARKS.contains(&c)).trim_end()
}

/// Whether a clause says what shall not be done: "do not click Save", 不要保存. Unticking has words of its own.
fn is_forbidden(clause: &str, lexicon: &Lexicon) -> bool {
    let Some(length) = leading_word(clause, &lexicon.connectors.negate) else { return false };
    let rest = clause.get(length..).unwrap_or_default();
    leading_word(clause, &lexicon.actions.untick).is_none() && begins_with_verb(rest, lexicon)
}

fn begins_with_verb(text: &str, lexicon: &Lexicon) -> bool {
    verb_length(strip_joints(text, lexicon), lexicon).is_some()
}

fn verb_length(text: &str, lexicon: &Lexicon) -> Option<usize> {
    let a = &lexicon.actions;
    let v = &lexicon.verbs;
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
    .into_iter()
    .filter_map(|list| leading_word(text, list))
    .max()
}

fn quoted_ranges(sentence: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut open: Option<(usize, char)> = None;
    for (at, c) in sentence.char_indices() {
        match open {
            Some((start, close)) if c == close => {
                ranges.push(start..at + c.len_utf8());
                open = None;
            }
            Some(_) => {}
            None => {
                let close = match c {
                    '"' => '"',
                    '“' => '”',
                    '「' => '」',
                    '『' => '』',
                    '《' => '》',
                    _ => continue,
                };
                open = Some((at, close));
            }
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::clauses;

    fn check(sentence: &str, expected: &[&str]) {
        assert_eq!(clauses(sentence, &[]), expected, "{sentence}");
    }

    #[test]
    fn a_sentence_is_cut_where_a_new_thing_to_do_begins() {
        check("Click the Save button", &["Click the Save button"]);
        check(
            "Enter customer Sample Ltd, quantity 3, price 12.50 and save",
            &["Enter customer Sample Ltd, quantity 3, price 12.50", "save"],
        );
        check("Save and close, then open the report", &["Save and close", "open the report"]);
        check("choose Cash as payment and tick Urgent", &["choose Cash as payment", "tick Urgent"]);
        check("客户A, 数量12, 月结, 保存", &["客户A, 数量12, 月结", "保存"]);
        check("在数量中输入 12", &["在数量中输入 12"]);
        check("在数量中输入 12，然后点击保存", &["在数量中输入 12", "点击保存"]);
        check(
            "Set the customer to Sample Ltd and the quantity to 3",
            &["Set the customer to Sample Ltd and the quantity to 3"],
        );
    }

    #[test]
    fn what_shall_not_be_done_is_nothing_to_do() {
        check("Do not click Save", &[]);
        check("Enter customer A, but don't save", &["Enter customer A, but don't save"]);
        check("Enter customer A and do not save", &["Enter customer A"]);
        check("不要点击保存", &[]);
        check("不勾选加急", &["不勾选加急"]);
        check("Click No", &["Click No"]);
    }

    #[test]
    fn quotes_and_values_are_never_cut() {
        check("Type \"save and delete\" into Remark", &["Type \"save and delete\" into Remark"]);
        let sentence = "Type Smith and Post Ltd into Customer";
        let value = [std::ops::Range { start: 5, end: 23 }];
        assert_eq!(clauses(sentence, &value), [sentence]);
    }
}
