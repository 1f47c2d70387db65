//! Scripts in an argument (`sh -c "..."`, `cmd /c ...`): cut into commands as far as that is certain.
//!
//! This is no shell. It finds every command that could be run, and says so when a command is hidden from reading
//! (made by another command, kept in a variable): what cannot be read is not approved.

use serde::Deserialize;

/// Whose rules for quotes and separators apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Dialect {
    Posix,
    Cmd,
    Powershell,
}

/// One command of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub argv: Vec<String>,
    /// Another command or a file is its input.
    pub fed: bool,
}

/// A script as far as it can be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Script {
    pub parts: Vec<Part>,
    /// Files that output is written into.
    pub written: Vec<String>,
    /// Why not everything can be read.
    pub hidden: Option<&'static str>,
}

/// Why a command is not read whose program stands in a variable.
pub(super) const NAMELESS: &str = "runs a program whose name cannot be read";
const MADE: &str = "runs a command that another command makes";

/// Cuts a script into its commands.
pub(super) fn read(text: &str, dialect: Dialect) -> Script {
    let mut reader = Reader { dialect, script: Script::default(), words: Vec::new(), word: None, fed: false };
    reader.all(text);
    reader.end_command();
    reader.script
}

#[derive(Debug, Default)]
struct Word {
    text: String,
    /// What it says is only known when it runs.
    expands: bool,
}

struct Reader {
    dialect: Dialect,
    script: Script,
    words: Vec<Word>,
    word: Option<Word>,
    fed: bool,
}

impl Reader {
    fn all(&mut self, text: &str) {
        let mut rest = text.chars().peekable();
        let mut quote: Option<char> = None;
        while let Some(c) = rest.next() {
            let next = rest.peek().copied();
            if self.substitutes(c, next, quote) {
                self.script.hidden = Some(MADE);
            }
            match quote {
                Some(open) if c == open => quote = None,
                // Inside double quotes an escape still takes the next character.
                Some('"') if self.escapes(c) => self.push(rest.next()),
                Some(open) => {
                    let word = self.word.get_or_insert_default();
                    word.expands |= open == '"' && expands(c, self.dialect);
                    word.text.push(c);
                }
                None if self.opens(c) => {
                    self.word.get_or_insert_default();
                    quote = Some(c);
                }
                None if self.escapes(c) => match rest.next() {
                    // An escaped line end joins the lines.
                    Some('\n') | None => {}
                    taken => self.push(taken),
                },
                None => self.plain(c, &mut rest),
            }
        }
    }

    /// A character outside quotes.
    fn plain(&mut self, c: char, rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
        let next = rest.peek().copied();
        match c {
            '\n' | '\r' => self.end_command(),
            c if c.is_whitespace() => self.end_word(),
            ';' | ',' | '=' if self.dialect == Dialect::Cmd => self.end_word(),
            ';' | '(' | ')' => {
                // PowerShell's `. (...)` runs what the parentheses make.
                let dot = self.word.as_ref().or(self.words.last()).is_some_and(|word| word.text == ".");
                if c == '(' && dot && self.dialect == Dialect::Powershell {
                    self.script.hidden = Some(MADE);
                }
                self.end_command();
            }
            '{' | '}' if self.dialect == Dialect::Powershell => self.end_command(),
            '{' | '}' if self.word.is_none() && next.is_none_or(|n| n.is_whitespace() || n == ';') => {
                self.end_command();
            }
            '|' | '&' => {
                let doubled = next == Some(c);
                // `|&` feeds the errors too.
                if doubled || (c == '|' && next == Some('&')) {
                    rest.next();
                }
                self.end_command();
                self.fed = c == '|' && !doubled;
                // And so does `& (...)`.
                let made = rest.clone().find(|c| !c.is_whitespace()) == Some('(');
                if made && c == '&' && !doubled && self.dialect == Dialect::Powershell {
                    self.script.hidden = Some(MADE);
                }
            }
            '<' => {
                self.end_word();
                self.fed = true;
                self.file(rest);
            }
            '>' => {
                self.end_word();
                let file = self.file(rest);
                self.script.written.push(file);
            }
            c => {
                let word = self.word.get_or_insert_default();
                word.expands |= expands(c, self.dialect) || matches!(c, '*' | '?' | '{' | '[');
                word.text.push(c);
            }
        }
    }

    /// The file or stream behind `<` or `>`, also behind `>>`, `<<<`, `>&`, `>|`.
    fn file(&self, rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> String {
        while rest.next_if(|c| matches!(c, '<' | '>' | '&' | '|' | ' ' | '\t')).is_some() {}
        let mut file = String::new();
        while let Some(c) = rest.next_if(|c| !c.is_whitespace() && !matches!(c, ';' | '|' | '&' | '<' | '>' | ')')) {
            // Quotes and escapes are no part of the name; a backslash is one outside of Unix.
            if !matches!(c, '"' | '\'' | '\\' | '^') || (c == '\\' && self.dialect != Dialect::Posix) {
                file.push(c);
            }
        }
        file
    }

    fn push(&mut self, c: Option<char>) {
        self.word.get_or_insert_default().text.extend(c);
    }

    fn opens(&self, c: char) -> bool {
        c == '"' || (c == '\'' && self.dialect != Dialect::Cmd)
    }

    fn escapes(&self, c: char) -> bool {
        match self.dialect {
            Dialect::Posix => c == '\\',
            Dialect::Cmd => c == '^',
            Dialect::Powershell => c == '`',
        }
    }

    fn substitutes(&self, c: char, next: Option<char>, quote: Option<char>) -> bool {
        if quote == Some('\'') || self.dialect == Dialect::Cmd {
            return false;
        }
        let posix = self.dialect == Dialect::Posix;
        let opens = next == Some('(') && (c == '$' || (posix && quote.is_none() && matches!(c, '<' | '>')));
        opens || (posix && c == '`')
    }

    fn end_word(&mut self) {
        self.words.extend(self.word.take());
    }

    fn end_command(&mut self) {
        self.end_word();
        let mut words = std::mem::take(&mut self.words);
        let fed = std::mem::take(&mut self.fed);
        if self.dialect == Dialect::Posix {
            let settings = words.iter().take_while(|word| is_setting(&word.text)).count();
            words.drain(..settings);
        }
        let Some(program) = words.first_mut() else { return };
        if program.expands && !matches!(program.text.as_str(), "[" | "[[") {
            self.script.hidden = Some(NAMELESS);
        }
        let mut argv = Vec::new();
        if self.dialect == Dialect::Cmd {
            program.text = program.text.trim_start_matches('@').to_string();
            // cmd takes a slash behind the name for the first switch: `rd/s/q`.
            if let Some(at) = program.text.find('/').filter(|at| *at > 0) {
                let switches = program.text.split_off(at);
                argv.push(std::mem::take(&mut program.text));
                program.text = switches;
            }
        }
        argv.extend(words.into_iter().map(|word| word.text));
        self.script.parts.push(Part { argv, fed });
    }
}

/// Characters that begin something which is only known when it runs.
fn expands(c: char, dialect: Dialect) -> bool {
    match dialect {
        Dialect::Posix => matches!(c, '$' | '`'),
        Dialect::Cmd => matches!(c, '%' | '!'),
        Dialect::Powershell => c == '$',
    }
}

/// `NAME=value` in front of a program.
pub(super) fn is_setting(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(text: &str, dialect: Dialect) -> Vec<String> {
        read(text, dialect).parts.into_iter().map(|part| part.argv.join(" ")).collect()
    }

    #[test]
    fn a_script_is_cut_into_its_commands() {
        let cut = commands("cd /x && r\"\"m -r'f' y; A=1 make|tee log\nif true; then { ls; } fi", Dialect::Posix);
        assert_eq!(cut, ["cd /x", "rm -rf y", "make", "tee log", "if true", "then", "ls", "fi"]);
        assert_eq!(commands("r^d/s/q c:\\x & echo a|more", Dialect::Cmd), ["rd /s/q c:\\x", "echo a", "more"]);
        assert_eq!(commands("gci | % { ri $_ -r }", Dialect::Powershell), ["gci", "%", "ri $_ -r"]);
    }

    #[test]
    fn what_feeds_and_what_is_written_is_seen() {
        let script = read("curl x | sh > /dev/sda 2>&1; bash < file", Dialect::Posix);
        assert_eq!(script.parts.iter().map(|p| p.fed).collect::<Vec<_>>(), [false, true, true]);
        assert_eq!(script.written, ["/dev/sda", "1"]);
    }

    #[test]
    fn what_cannot_be_read_is_called_hidden() {
        for text in
            ["$X -rf /", "$(echo rm) x", "echo `rm x`", "bash <(curl x)", "{rm,-rf,/}", "r* x", "\"$X\" y", "$'rm' x"]
        {
            assert!(read(text, Dialect::Posix).hidden.is_some(), "{text}");
        }
        for text in ["echo '$(rm)'", "echo $HOME", "ls *.txt", "[ -f x ]", "echo '`'"] {
            assert_eq!(read(text, Dialect::Posix).hidden, None, "{text}");
        }
        assert!(read("%X% /s", Dialect::Cmd).hidden.is_some());
        assert!(read("& $x y", Dialect::Powershell).hidden.is_some());
        assert!(read("[IO.Directory]::Delete('x')", Dialect::Powershell).hidden.is_some());
    }
}
