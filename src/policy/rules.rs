//! The rules that a person can read: who may do what, asked or not. First match decides; no match means no.
//!
//! The defaults are data (`assets/policy/default.toml`, embedded). The user's file is consulted before them. It can
//! tighten anything, and loosen some questions, but never below the limits in [`Reply::limit`].

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::action::{Action, Target, Who};
use super::commands::look_at;
use super::deeds::only_says;
use super::paths::ResolvedPath;
use super::risk::{Risk, texts};
use crate::words::{find_word, norm};

const DEFAULTS: &str = include_str!("../../assets/policy/default.toml");
const FIELDS: &str = "who: user, model, workflow, agent; class: observe, reversible, irreversible, destructive, system; \
                      answer: allow, ask, refuse; tool, words and program are lists of texts; under and reason are texts";

/// What a rule says. Ordered from loose to strict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reply {
    Allow,
    Ask,
    Refuse,
}

impl Reply {
    /// The loosest reply that any rule may give, with the sentence why.
    fn limit(who: Who, class: Risk) -> (Reply, &'static str) {
        match (class, who) {
            (Risk::System, _) => (Reply::Refuse, "the class system is never allowed, not even after a question"),
            (Risk::Destructive, Who::Model | Who::Agent) => {
                (Reply::Ask, "what a model or another agent wants to destroy is always asked for")
            }
            (Risk::Irreversible, Who::Agent) => {
                (Reply::Ask, "what cannot be undone is always asked for when another agent wants it")
            }
            (Risk::Destructive, Who::User | Who::Workflow)
            | (Risk::Irreversible, Who::User | Who::Model | Who::Workflow)
            | (Risk::Observe | Risk::Reversible, _) => (Reply::Allow, ""),
        }
    }
}

/// Why a policy file is not accepted. Whoever reads one refuses to act then.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RulesError {
    #[error("{name} cannot be read: {why}")]
    Unreadable { name: String, why: String },
    #[error("{name}, line {line}: {why}. Allowed are {FIELDS}")]
    Wrong { name: String, line: usize, why: String },
    #[error("{name}, line {line}: this rule says \"{answer}\", but {why}")]
    TooLoose { name: String, line: usize, answer: &'static str, why: &'static str },
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    rule: Vec<toml::Spanned<Written>>,
}

/// A rule as it stands in the file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    who: Option<Vec<Who>>,
    class: Option<Vec<Risk>>,
    tool: Option<Vec<String>>,
    words: Option<Vec<String>>,
    under: Option<String>,
    program: Option<Vec<String>>,
    answer: Reply,
    reason: Option<String>,
}

#[derive(Debug, Clone)]
struct Rule {
    written: Written,
    under: Option<ResolvedPath>,
    /// Where it stands, for the log.
    place: String,
}

/// An ordered list of rules.
#[derive(Debug, Clone)]
pub struct Rules {
    rules: Vec<Rule>,
}

/// What the rules say about one action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decision {
    pub reply: Reply,
    pub reason: String,
}

impl Rules {
    /// The embedded defaults alone.
    pub fn safe() -> Rules {
        // A test reads them; were they ever unreadable, no rule fits and everything is refused.
        let rules = parse(DEFAULTS, "the built-in rules").unwrap_or_default();
        Rules { rules }
    }

    /// The user's rules, followed by the defaults. `name` is the file's name for errors.
    ///
    /// # Errors
    /// The file, the line, what is wrong, and what is allowed.
    pub fn parse(text: &str, name: &str) -> Result<Rules, RulesError> {
        let mut rules = parse(text, name)?;
        rules.extend(Rules::safe().rules);
        Ok(Rules { rules })
    }

    /// The rules of the user's file, followed by the defaults; the defaults alone when there is no such file.
    ///
    /// # Errors
    /// When there is a file and it cannot be read or understood. Nobody may act then.
    pub fn read(path: &Path) -> Result<Rules, RulesError> {
        let name = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => Rules::parse(&text, &name),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Rules::safe()),
            Err(error) => Err(RulesError::Unreadable { name, why: error.to_string() }),
        }
    }

    /// What the first fitting rule says.
    pub(super) fn decide(&self, action: &Action, class: Risk) -> Decision {
        let who = action.origin.who();
        match self.rules.iter().find(|rule| rule.fits(action, who, class)) {
            Some(rule) => {
                let reason = rule.written.reason.clone().unwrap_or_else(|| rule.place.clone());
                Decision { reply: rule.written.answer.max(Reply::limit(who, class).0), reason }
            }
            None => Decision { reply: Reply::Refuse, reason: "no rule allows it".into() },
        }
    }
}

fn parse(text: &str, name: &str) -> Result<Vec<Rule>, RulesError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let line = |at: usize| text.get(..at).unwrap_or_default().matches('\n').count() + 1;
    let wrong = |at: usize, why: String| RulesError::Wrong { name: name.into(), line: line(at), why };
    let file: File = toml::from_str(text).map_err(|error| {
        wrong(error.span().map_or(0, |span| span.start), error.message().trim().replace('\n', ", "))
    })?;
    let mut rules = Vec::new();
    for spanned in file.rule {
        let at = spanned.span().start;
        let written = spanned.into_inner();
        for list in [&written.tool, &written.words, &written.program].into_iter().flatten() {
            if list.iter().any(|text| text.trim().is_empty()) {
                return Err(wrong(at, "a rule has an empty text in a list".into()));
            }
        }
        if let Some(why) = too_loose(&written) {
            let answer = if written.answer == Reply::Ask { "ask" } else { "allow" };
            return Err(RulesError::TooLoose { name: name.into(), line: line(at), answer, why });
        }
        let under = written.under.as_ref().map(|folder| {
            if !Path::new(folder).is_absolute() {
                return Err(wrong(at, format!("under = {folder:?} is not an absolute folder")));
            }
            ResolvedPath::resolve(folder, Path::new(folder)).map_err(|refusal| wrong(at, refusal.to_string()))
        });
        rules.push(Rule { under: under.transpose()?, place: format!("{name}, line {}", line(at)), written });
    }
    Ok(rules)
}

/// Why a rule must not say what it says.
fn too_loose(rule: &Written) -> Option<&'static str> {
    if rule.answer == Reply::Refuse {
        return None;
    }
    if rule.answer == Reply::Allow {
        if rule.class.is_none() {
            return Some("a rule that allows must name its classes (class = [...])");
        }
        if rule.who.is_none() {
            return Some("a rule that allows must name who may (who = [...])");
        }
    }
    // A question that fits every class is no loosening: the class system is refused before any rule is read.
    let classes = rule.class.as_deref().unwrap_or_default();
    let who = rule.who.as_deref().unwrap_or(&Who::ALL);
    classes
        .iter()
        .flat_map(|class| who.iter().map(move |who| Reply::limit(*who, *class)))
        .find_map(|(limit, why)| (rule.answer < limit).then_some(why))
}

impl Rule {
    fn fits(&self, action: &Action, who: Who, class: Risk) -> bool {
        let rule = &self.written;
        rule.who.as_ref().is_none_or(|list| list.contains(&who))
            && rule.class.as_ref().is_none_or(|list| list.contains(&class))
            && rule.tool.as_ref().is_none_or(|list| list.contains(&action.call.tool))
            && rule.words.as_ref().is_none_or(|list| self.fits_words(list, action))
            && rule.program.as_ref().is_none_or(|list| self.fits_programs(list, action))
            && self.under.as_ref().is_none_or(|root| match &action.target {
                Target::Path(path) => path.inside(root),
                Target::Nothing | Target::Element { .. } | Target::Window { .. } | Target::Command(_) => false,
            })
    }

    /// One word is enough for a question; to allow, the words must cover everything risky that is written there.
    fn fits_words(&self, list: &[String], action: &Action) -> bool {
        let list: Vec<String> = list.iter().map(|word| norm(word)).collect();
        let texts = texts(action);
        // The name of a field says nothing about risk, but rules may speak of it.
        let name = action.target.element().map(|element| element.name()).unwrap_or_default();
        let named = texts.iter().chain([&name]).any(|text| {
            let text = norm(text);
            list.iter().any(|word| find_word(&text, word).is_some())
        });
        named && (self.written.answer != Reply::Allow || texts.iter().all(|text| only_says(text, &list)))
    }

    /// One program is enough for a question; to allow, every program that may run must be named.
    fn fits_programs(&self, list: &[String], action: &Action) -> bool {
        let Target::Command(argv) = &action.target else { return false };
        let command = look_at(argv);
        let known = |program: &String| list.iter().any(|name| name.to_lowercase() == *program);
        match self.written.answer {
            Reply::Allow => !command.programs.is_empty() && command.programs.iter().all(known),
            Reply::Ask | Reply::Refuse => command.programs.iter().any(known),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Origin, risk_of};
    use crate::scene::{Element, ImageRect, Role, Source, ToolCall};
    use serde_json::json;

    fn button(text: &str, question: Option<&str>, origin: Origin) -> Action {
        let element = Element {
            id: 1,
            role: Role::Button,
            text: text.into(),
            label: String::new(),
            group: String::new(),
            value: None,
            state: vec![],
            bbox: ImageRect::zero(),
            confidence: 1.0,
            source: Source::Ocr,
        };
        let target = Target::Element { element, question: question.map(Into::into), picture: None };
        Action { call: ToolCall::new("click", json!({"element": text})), target, origin, declared: None }
    }

    fn command(line: &str, origin: Origin) -> Action {
        let argv = line.split(' ').map(Into::into).collect();
        Action { call: ToolCall::new("run_command", json!({})), target: Target::Command(argv), origin, declared: None }
    }

    fn reply(rules: &Rules, action: &Action) -> Reply {
        rules.decide(action, risk_of(action)).reply
    }

    fn model() -> Origin {
        Origin::Model { sentence: "go on".into() }
    }

    fn agent() -> Origin {
        Origin::Agent { name: "other".into() }
    }

    #[test]
    fn the_defaults_can_be_read_and_say_for_everybody_what_holds() {
        assert_eq!(parse(DEFAULTS, "default.toml").expect("default.toml").len(), 5);
        let rules = Rules::safe();
        let look = |origin| Action { call: ToolCall::new("read_screen", json!({})), ..button("", None, origin) };
        for origin in [Origin::User, model(), Origin::Workflow { id: "w".into() }, agent()] {
            let may_touch = if origin == agent() { Reply::Ask } else { Reply::Allow };
            assert_eq!(reply(&rules, &look(origin.clone())), Reply::Allow);
            assert_eq!(reply(&rules, &button("Next", None, origin.clone())), may_touch);
            assert_eq!(reply(&rules, &button("Save", None, origin.clone())), Reply::Ask);
            assert_eq!(reply(&rules, &button("删除", None, origin.clone())), Reply::Ask);
            assert_eq!(reply(&rules, &command("rm -rf x", origin)), Reply::Refuse);
        }
    }

    #[test]
    fn the_users_rules_come_first_and_can_tighten_anything() {
        let text = r#"
            [[rule]]
            tool = ["read_screen"]
            answer = "refuse"
            reason = "not on this machine"
            [[rule]]
            words = ["Next", "下一步"]
            answer = "ask"
        "#;
        let rules = Rules::parse(text, "policy.toml").unwrap();
        let look = Action { call: ToolCall::new("read_screen", json!({})), ..button("", None, model()) };
        let decision = rules.decide(&look, Risk::Observe);
        assert_eq!(decision, Decision { reply: Reply::Refuse, reason: "not on this machine".into() });
        assert_eq!(reply(&rules, &button("Next page", None, model())), Reply::Ask);
        assert_eq!(reply(&rules, &button("下一步", None, model())), Reply::Ask);
        assert_eq!(reply(&rules, &button("Back", None, model())), Reply::Allow);
        let decision = rules.decide(&button("Next", None, model()), Risk::Reversible);
        assert_eq!(decision.reason, "policy.toml, line 6");
    }

    #[test]
    fn a_rule_that_allows_covers_only_what_it_names() {
        let text = r#"
            [[rule]]
            who = ["model", "workflow"]
            class = ["irreversible"]
            words = ["Save", "保存"]
            answer = "allow"
            [[rule]]
            who = ["model"]
            class = ["irreversible"]
            program = ["cargo", "env"]
            answer = "allow"
        "#;
        let rules = Rules::parse(text, "policy.toml").unwrap();
        for (text, question, is) in [
            ("Save", None, Reply::Allow),
            ("保存(S)", None, Reply::Allow),
            ("Save and send", None, Reply::Ask),
            ("Save", Some("Save and pay 5000?"), Reply::Ask),
            ("OK", Some("Save the order?"), Reply::Allow),
            ("OK", Some("Pay 5000?"), Reply::Ask),
            ("Save", Some("Delete the old one?"), Reply::Ask),
        ] {
            assert_eq!(reply(&rules, &button(text, question, model())), is, "{text} {question:?}");
        }
        assert_eq!(reply(&rules, &button("Save", None, agent())), Reply::Ask);
        for (line, is) in [
            ("cargo test", Reply::Allow),
            ("env A=1 cargo test", Reply::Allow),
            ("env cargo-x", Reply::Ask),
            ("sudo cargo test", Reply::Ask),
            ("rm x", Reply::Ask),
        ] {
            assert_eq!(reply(&rules, &command(line, model())), is, "{line}");
        }
    }

    #[test]
    fn a_rule_for_a_folder_holds_inside_it_only() {
        let folder = tempfile::tempdir().unwrap();
        let text = format!(
            "[[rule]]\nwho = [\"model\"]\nclass = [\"irreversible\"]\nunder = {:?}\nanswer = \"allow\"\n",
            folder.path().join("work").display().to_string()
        );
        let rules = Rules::parse(&text, "policy.toml").unwrap();
        let write = |path: &str| Action {
            call: ToolCall::new("write_file", json!({})),
            target: Target::Path(ResolvedPath::resolve(path, folder.path()).unwrap()),
            origin: model(),
            declared: Some(Risk::Irreversible),
        };
        assert_eq!(reply(&rules, &write("work/a/b.txt")), Reply::Allow);
        assert_eq!(reply(&rules, &write("workshop/b.txt")), Reply::Ask);
        assert_eq!(reply(&rules, &write("work/../b.txt")), Reply::Ask);
        assert_eq!(reply(&rules, &button("Save", None, model())), Reply::Ask);
    }

    #[test]
    fn a_rule_that_would_be_too_loose_is_refused_with_the_reason() {
        for (rule, why) in [
            ("who = [\"user\"]\nclass = [\"system\"]\nanswer = \"allow\"", "the class system is never allowed"),
            ("class = [\"system\"]\nanswer = \"ask\"", "the class system is never allowed"),
            ("who = [\"model\"]\nclass = [\"destructive\"]\nanswer = \"allow\"", "is always asked for"),
            ("who = [\"user\", \"agent\"]\nclass = [\"destructive\"]\nanswer = \"allow\"", "is always asked for"),
            ("who = [\"agent\"]\nclass = [\"irreversible\"]\nanswer = \"allow\"", "when another agent wants it"),
            ("class = [\"observe\"]\nanswer = \"allow\"", "must name who"),
            ("who = [\"user\"]\nanswer = \"allow\"", "must name its classes"),
        ] {
            let error = Rules::parse(&format!("\n[[rule]]\n{rule}\n"), "policy.toml").unwrap_err().to_string();
            assert!(error.starts_with("policy.toml, line 2: this rule says"), "{error}");
            assert!(error.contains(why), "{rule}: {error}");
        }
        for rule in [
            "who = [\"user\", \"workflow\"]\nclass = [\"destructive\"]\nanswer = \"allow\"",
            "who = [\"model\"]\nclass = [\"irreversible\"]\nanswer = \"allow\"",
            "who = [\"agent\"]\nclass = [\"reversible\"]\nanswer = \"allow\"",
            "answer = \"ask\"",
            "answer = \"refuse\"",
        ] {
            Rules::parse(&format!("[[rule]]\n{rule}\n"), "policy.toml").unwrap();
        }
    }

    #[test]
    fn a_file_with_bom_and_crlf_is_read_and_a_wrong_one_names_line_and_allowed_values() {
        let text = "\u{feff}# mine\r\n[[rule]]\r\nanswer = \"ask\"\r\n";
        assert!(Rules::parse(text, "policy.toml").is_ok());
        for (text, line) in [
            ("[[rule]]\nanswer = \"maybe\"\n", 2),
            ("\r\n[[rule]]\r\nanswer = \"ask\"\r\nwhom = [\"user\"]\r\n", 4),
            ("[[rule]]\nanswer = \"ask\"\nwho = [\"boss\"]\n", 3),
            ("[[rule]]\nanswer = \"ask\"\nclass = \"observe\"\n", 3),
            ("[[rule]]\nwho = [\"user\"]\n", 1),
            ("[[rule]]\nanswer = \n", 2),
            ("[[rule]]\nwords = [\" \"]\nanswer = \"ask\"\n", 1),
            ("[[rule]]\nunder = \"work\"\nanswer = \"ask\"\n", 1),
            ("rules = 1\n", 1),
        ] {
            let error = Rules::parse(text, "policy.toml").unwrap_err().to_string();
            assert!(error.starts_with(&format!("policy.toml, line {line}: ")), "{text}: {error}");
            assert!(error.contains("allow, ask, refuse"), "{error}");
        }
    }

    #[test]
    fn no_file_means_the_defaults_and_an_unreadable_file_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let rules = Rules::read(&folder.path().join("policy.toml")).unwrap();
        assert_eq!(rules.rules.len(), Rules::safe().rules.len());
        // A folder in its place, and text that is no UTF-8.
        assert!(matches!(Rules::read(folder.path()), Err(RulesError::Unreadable { .. })));
        let gbk = folder.path().join("gbk.toml");
        std::fs::write(&gbk, [0xb1, 0xa3, 0xb4, 0xe6]).unwrap();
        assert!(matches!(Rules::read(&gbk), Err(RulesError::Unreadable { .. })));
    }
}
