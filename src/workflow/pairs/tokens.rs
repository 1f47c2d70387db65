//! A sentence cut into words, Chinese characters, quoted pieces, separators and signs of assignment.
//!
//! What belongs to a value stays in one piece: 1,234.50, 2026-03-01, 12:30, a@b.com, Ltd. and anything in quotes.

use std::ops::Range;

use crate::words::{is_cjk, words};

/// What a piece of the sentence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    /// One character of a script without blanks.
    Character,
    /// Something in quotes, taken as it stands.
    Quoted,
    /// Comma, semicolon, full stop, line break.
    Separator,
    /// The Chinese list comma: separates like `and` does.
    SoftSeparator,
    /// `:` or `=`.
    Assign,
}

/// One piece, with its place in the sentence in bytes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: Range<usize>,
}

/// Closing mark of a quotation that opens with `c`.
fn closing(c: char) -> Option<&'static [char]> {
    match c {
        '"' | '“' | '”' | '＂' => Some(&['"', '“', '”', '＂']),
        '‘' => Some(&['’']),
        '\'' => Some(&['\'']),
        '「' => Some(&['」']),
        '『' => Some(&['』']),
        _ => None,
    }
}

/// Cuts a sentence.
pub(super) fn cut(sentence: &str) -> Vec<Token> {
    let chars: Vec<(usize, char)> = sentence.char_indices().collect();
    let at = |i: usize| chars.get(i).map(|(_, c)| *c);
    let byte = |i: usize| chars.get(i).map_or(sentence.len(), |(b, _)| *b);
    let mut out: Vec<Token> = Vec::new();
    let mut word: Option<usize> = None;
    let mut i = 0;
    while let Some(c) = at(i) {
        let before = i.checked_sub(1).and_then(at);
        let after = at(i + 1);
        let opens = word.is_none() || c != '\'';
        if let Some(close) = closing(c).filter(|_| opens) {
            let end = (i + 1..chars.len()).find(|e| {
                at(*e).is_some_and(|x| close.contains(&x))
                    && (c != '\'' || at(e + 1).is_none_or(|n| !n.is_alphanumeric() || is_cjk(n)))
            });
            if let Some(end) = end {
                flush(sentence, &mut out, &mut word, byte(i));
                out.push(Token { kind: Kind::Quoted, span: byte(i)..byte(end + 1) });
                i = end + 1;
                continue;
            }
        }
        let kind = if c.is_whitespace() {
            if c == '\n' { Some(Kind::Separator) } else { Some(Kind::Word) }
        } else {
            sign(c, before, &|n| at(i + n))
        };
        match kind {
            Some(Kind::Word) if c.is_whitespace() => flush(sentence, &mut out, &mut word, byte(i)),
            Some(kind) => {
                flush(sentence, &mut out, &mut word, byte(i));
                out.push(Token { kind, span: byte(i)..byte(i + 1) });
            }
            None if is_cjk(c) => {
                flush(sentence, &mut out, &mut word, byte(i));
                out.push(Token { kind: Kind::Character, span: byte(i)..byte(i + 1) });
            }
            None => {
                if word.is_none() {
                    word = Some(byte(i));
                }
                if after.is_none() {
                    flush(sentence, &mut out, &mut word, sentence.len());
                }
            }
        }
        i += 1;
    }
    flush(sentence, &mut out, &mut word, sentence.len());
    out
}

fn flush(sentence: &str, out: &mut Vec<Token>, word: &mut Option<usize>, end: usize) {
    let Some(start) = word.take() else { return };
    if start < end {
        // A full stop at the end of a word ends the sentence, unless the word is written with one.
        let text = &sentence[start..end];
        let behind = &sentence[end..];
        let last = behind.trim().is_empty();
        // In the middle of a text only behind a number: No. 5 and Mr. Smith go on.
        let number = text.trim_end_matches('.').chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
        let ends = text.len() > 1 && text.ends_with(['.', '!', '?']) && (last || number && behind.starts_with(' '));
        let suffix = words().all.marks.company_suffix.contains(&text.to_lowercase());
        if ends && !suffix {
            out.push(Token { kind: Kind::Word, span: start..end - 1 });
            out.push(Token { kind: Kind::Separator, span: end - 1..end });
        } else {
            out.push(Token { kind: Kind::Word, span: start..end });
        }
    }
}

/// Whether a character separates or assigns here; `None` when it belongs to a word.
fn sign(c: char, before: Option<char>, ahead: &dyn Fn(usize) -> Option<char>) -> Option<Kind> {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    match c {
        '，' | ';' | '；' | '。' => Some(Kind::Separator),
        '、' => Some(Kind::SoftSeparator),
        // A comma between digits is one of the number when three digits follow.
        ',' => {
            let thousands = digit(before) && (1..=3).all(|n| digit(ahead(n))) && !digit(ahead(4));
            (!thousands).then_some(Kind::Separator)
        }
        '.' | '!' | '?' => {
            let blank = ahead(1).is_none_or(char::is_whitespace);
            (blank && before.is_none_or(char::is_whitespace)).then_some(Kind::Separator)
        }
        '！' | '？' => ahead(1).is_none().then_some(Kind::Separator),
        ':' | '=' => {
            let inside = digit(before) && digit(ahead(1)) || ahead(1) == Some('/') || ahead(1) == Some('\\');
            (!inside).then_some(Kind::Assign)
        }
        '：' | '＝' => Some(Kind::Assign),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(sentence: &str) -> Vec<&str> {
        cut(sentence).into_iter().map(|t| &sentence[t.span]).collect()
    }

    #[test]
    fn values_stay_in_one_piece() {
        for (sentence, wanted) in [
            ("amount 1,234.50, qty 3", vec!["amount", "1,234.50", ",", "qty", "3"]),
            ("1,2", vec!["1", ",", "2"]),
            ("date: 2026-03-01 12:30.", vec!["date", ":", "2026-03-01", "12:30", "."]),
            ("Sample Ltd.", vec!["Sample", "Ltd."]),
            ("note \"a, b\" end", vec!["note", "\"a, b\"", "end"]),
            ("it's 'a, b', x", vec!["it's", "'a, b'", ",", "x"]),
            ("客户A，数量12。", vec!["客", "户", "A", "，", "数", "量", "12", "。"]),
            ("备注“急，快”", vec!["备", "注", "“急，快”"]),
            ("C:\\data http://x.y", vec!["C:\\data", "http://x.y"]),
        ] {
            assert_eq!(pieces(sentence), wanted, "{sentence}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_sentence_can_be_cut(sentence in "\\PC{0,60}") {
            let tokens = cut(&sentence);
            for pair in tokens.windows(2) {
                proptest::prop_assert!(pair[0].span.end <= pair[1].span.start);
            }
            for token in tokens {
                proptest::prop_assert!(sentence.get(token.span).is_some());
            }
        }
    }
}
