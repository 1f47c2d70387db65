//! The possible next actions on this screen, as a shortlist with a cheap text score (A2).
//!
//! Every option is a valid call by construction: its tool exists, its element is on the screen, its text is copied
//! from the request. The score only decides what reaches the model; the model decides among these.

use serde_json::json;

use crate::model::ActionOption;
use crate::scene::{Element, Role, Scene, State, ToolCall};
use crate::words::{Words, find_word, is, mentions, norm, words};
use crate::workflow::bind::fields;
use crate::workflow::pairs::{Pairs, split};

use super::prompt;

/// At most so many options reach the model.
pub const SHORTLIST: usize = 8;

/// Below this best score nothing on the screen is meant, and nothing is done.
pub const LEAST_PRIOR: f32 = 0.30;

/// The best options for one clause of the user's sentence on `scene`, best first, at most [`SHORTLIST`].
pub fn options_for(request: &str, scene: &Scene) -> Vec<ActionOption> {
    let request = Request::new(request, scene);
    let mut options: Vec<ActionOption> = scene
        .elements
        .iter()
        .filter(|e| !e.is(State::Disabled))
        .flat_map(|element| request.on_element(element, scene))
        .collect();
    options.extend(request.fill_fields(scene));
    options.extend(request.without_element());
    options.sort_by(|a, b| b.prior.total_cmp(&a.prior));
    options.truncate(SHORTLIST);
    options
}

/// What the sentence says, looked up once.
struct Request<'w> {
    text: String,
    normalised: String,
    pairs: Pairs,
    words: &'w Words,
}

impl Request<'_> {
    fn new(text: &str, scene: &Scene) -> Self {
        Request {
            text: text.into(),
            normalised: norm(text),
            pairs: split(text, &fields(&scene.elements)),
            words: words(),
        }
    }

    /// What can be done with one element.
    fn on_element(&self, element: &Element, scene: &Scene) -> Vec<ActionOption> {
        if element.name().is_empty() || matches!(element.role, Role::Window | Role::Image) {
            return Vec::new();
        }
        let name = self.name_score(element);
        let role = self.role_score(element.role);
        let actions = &self.words.all.actions;
        let id = ambiguous(element, scene).then_some(element.id);
        let option = |tool: &str, arguments: serde_json::Value, phrase: String, verb: f32| {
            let mut call = ToolCall::new(tool, arguments);
            if let Some(id) = id {
                call.arguments.insert("id".into(), json!(id));
            }
            ActionOption { call, phrase, prior: 0.62 * name + 0.26 * verb + 0.12 * role, open: None }
        };
        let mut options = Vec::new();
        match element.role {
            Role::Textbox | Role::Combobox => {
                let own = self.pairs.pairs.iter().find(|pair| pair.field == element.id);
                let clearing = mentions(&actions.clear, &self.text).is_some() && element.role == Role::Textbox;
                if clearing && own.is_none_or(|pair| is(&actions.clear, &pair.value)) {
                    let arguments = json!({"element": element.name(), "text": ""});
                    return vec![option("type_text", arguments, prompt::clear_phrase(element), 1.0)];
                }
                let value = own
                    .or(self.pairs.pairs.first())
                    .map(|pair| pair.value.clone())
                    .or_else(|| self.loose_value(element));
                let (tool, key, verbs) = match element.role {
                    Role::Combobox => ("choose", "option", &actions.choose),
                    _ => ("type_text", "text", &actions.type_text),
                };
                if let Some(value) = value {
                    let verb = if own.is_some() { 1.0 } else { self.verb_score(verbs) };
                    let arguments = json!({"element": element.name(), key: value});
                    options.push(option(tool, arguments, prompt::set_phrase(element, &value), verb));
                }
                let click = self.verb_score(&actions.click);
                options.push(option(
                    "click",
                    json!({"element": element.name()}),
                    prompt::act_phrase("click", element),
                    click,
                ));
            }
            Role::Checkbox | Role::Radio | Role::Switch => {
                let tick = self.verb_score(&actions.tick).max(self.verb_score(&actions.choose));
                let untick = self.verb_score(&actions.untick);
                let wanted_off = untick >= tick && mentions(&actions.untick, &self.text).is_some();
                let done = if wanted_off { element.is(State::Unchecked) } else { element.is(State::Checked) };
                let verb = tick.max(untick).max(self.verb_score(&actions.click));
                if done && mentions(&actions.click, &self.text).is_none() {
                    let answer = format!("\"{}\" is already as you want it", element.name());
                    let mut already =
                        option("done", json!({"answer": answer}), prompt::tick_phrase(element, !wanted_off), verb);
                    already.call.arguments.remove("id");
                    options.push(already);
                } else {
                    let phrase = prompt::tick_phrase(element, !wanted_off);
                    options.push(option("click", json!({"element": element.name()}), phrase, verb));
                }
            }
            Role::Cell
            | Role::Text
            | Role::Button
            | Role::Icon
            | Role::Link
            | Role::Tab
            | Role::Menuitem
            | Role::Listitem
            | Role::Slider
            | Role::Image
            | Role::Window => {
                let verb = self.click_verb(element);
                let tools = [
                    ("click", verb),
                    ("double_click", self.explicit(&actions.double_click)),
                    ("right_click", self.explicit(&actions.right_click)),
                ];
                // Mere text is clicked only when nothing else carries the words.
                let weight = if element.role.is_interactive() { 1.0 } else { 0.75 };
                for (tool, verb) in tools.into_iter().filter(|(_, verb)| *verb > 0.0) {
                    let mut made =
                        option(tool, json!({"element": element.name()}), prompt::act_phrase(tool, element), verb);
                    made.prior *= weight;
                    options.push(made);
                }
            }
        }
        options
    }

    /// One call for several fields, when the sentence names several (E10).
    fn fill_fields(&self, scene: &Scene) -> Option<ActionOption> {
        if self.pairs.pairs.len() < 2 {
            return None;
        }
        let fields: Vec<_> = self
            .pairs
            .pairs
            .iter()
            .map(|pair| {
                let mut field = json!({"field": pair.label, "value": pair.value});
                if scene.get(pair.field).is_some_and(|element| ambiguous(element, scene)) {
                    field["id"] = json!(pair.field);
                }
                field
            })
            .collect();
        let named: Vec<(&str, &str)> =
            self.pairs.pairs.iter().map(|pair| (pair.label.as_str(), pair.value.as_str())).collect();
        let phrase = prompt::fill_phrase(&named);
        Some(ActionOption {
            call: ToolCall::new("fill_fields", json!({ "fields": fields })),
            phrase,
            prior: 1.0,
            open: None,
        })
    }

    /// Keys, scrolling, waiting, reading: what needs no element.
    fn without_element(&self) -> Vec<ActionOption> {
        let actions = &self.words.all.actions;
        let mut options = Vec::new();
        if let Some(keys) = chord_in(&self.text) {
            let phrase = prompt::key_phrase(&keys);
            options.push(ActionOption {
                call: ToolCall::new("press_key", json!({"keys": keys})),
                phrase,
                prior: 0.95,
                open: None,
            });
        }
        if mentions(&actions.scroll, &self.text).is_some() {
            for (direction, marks) in [("down", ["down", "下"]), ("up", ["up", "上"])] {
                let named = marks.iter().any(|mark| find_word(&self.normalised, mark).is_some());
                let call = ToolCall::new("scroll", json!({"direction": direction}));
                let phrase = prompt::scroll_phrase(direction);
                options.push(ActionOption { call, phrase, prior: if named { 0.9 } else { 0.5 }, open: None });
            }
        }
        if mentions(&actions.wait, &self.text).is_some() {
            let call = ToolCall::new("wait", json!({}));
            options.push(ActionOption { call, phrase: prompt::wait_phrase(), prior: 0.8, open: None });
        }
        if mentions(&actions.read, &self.text).is_some() {
            let call = ToolCall::new("read_screen", json!({}));
            options.push(ActionOption { call, phrase: prompt::read_phrase(), prior: 0.5, open: None });
        }
        options
    }

    /// How much of the element's name the sentence says, 0..=1.
    fn name_score(&self, element: &Element) -> f32 {
        let best = |name: &str| {
            let name = norm(name);
            if name.is_empty() {
                return 0.0;
            }
            if find_word(&self.normalised, &name).is_some() {
                return 1.0;
            }
            self.same_meaning(&name).max(self.shared_words(&name)).max(self.nearly(&name))
        };
        best(&element.label).max(best(&element.text))
    }

    /// The same concept or the same kind of deed in other words or the other language.
    fn same_meaning(&self, name: &str) -> f32 {
        let all = &self.words.all;
        let concept = self
            .words
            .concepts_of(name)
            .iter()
            .filter_map(|concept| all.concepts.get(concept))
            .any(|names| mentions(names, &self.normalised).is_some());
        if concept {
            return 0.85;
        }
        let lists = [
            &all.verbs.destructive,
            &all.verbs.commit,
            &all.actions.new,
            &all.actions.clear,
            &all.answers.close,
            &all.answers.deny,
            &all.answers.affirm,
        ];
        let both = lists.into_iter().any(|list| is(list, name) && mentions(list, &self.normalised).is_some());
        if both { 0.7 } else { 0.0 }
    }

    fn shared_words(&self, name: &str) -> f32 {
        let parts = parts_of(name);
        let found = parts.iter().filter(|part| find_word(&self.normalised, part).is_some()).count();
        if parts.is_empty() { 0.0 } else { 0.8 * found as f32 / parts.len() as f32 }
    }

    /// A typing mistake away from a word of the sentence.
    fn nearly(&self, name: &str) -> f32 {
        let best = self
            .normalised
            .split_whitespace()
            .map(|word| strsim::normalized_damerau_levenshtein(word, name))
            .fold(0.0, f64::max);
        if best >= 0.75 && name.chars().count() >= 4 { 0.7 * best as f32 } else { 0.0 }
    }

    /// 1 when the sentence uses this verb, 0 when it uses another, 0.5 when it uses none.
    fn verb_score(&self, list: &crate::words::List) -> f32 {
        if mentions(list, &self.text).is_some() {
            return 1.0;
        }
        let a = &self.words.all.actions;
        let others = [&a.click, &a.type_text, &a.choose, &a.tick, &a.untick, &a.scroll, &a.wait, &a.press_key];
        if others.into_iter().any(|other| mentions(other, &self.text).is_some()) { 0.0 } else { 0.5 }
    }

    fn explicit(&self, list: &crate::words::List) -> f32 {
        if mentions(list, &self.text).is_some() { 1.2 } else { 0.0 }
    }

    /// A button's own name is often the verb itself ("save", "delete the order").
    fn click_verb(&self, element: &Element) -> f32 {
        let verbs = &self.words.all.verbs;
        let own = [&verbs.commit, &verbs.destructive, &self.words.all.actions.new, &self.words.all.actions.clear]
            .into_iter()
            .any(|list| mentions(list, &element.text).is_some() && mentions(list, &self.text).is_some());
        if own { 1.0 } else { self.verb_score(&self.words.all.actions.click) }
    }

    fn role_score(&self, role: Role) -> f32 {
        let r = &self.words.all.roles;
        let lists = [
            (Role::Button, &r.button),
            (Role::Icon, &r.icon),
            (Role::Link, &r.link),
            (Role::Textbox, &r.textbox),
            (Role::Combobox, &r.combobox),
            (Role::Checkbox, &r.checkbox),
            (Role::Radio, &r.radio),
            (Role::Tab, &r.tab),
            (Role::Menuitem, &r.menuitem),
            (Role::Listitem, &r.listitem),
        ];
        let named: Vec<Role> =
            lists.into_iter().filter(|(_, list)| mentions(list, &self.text).is_some()).map(|(role, _)| role).collect();
        match named.as_slice() {
            [] => 0.5,
            roles if roles.contains(&role) => 1.0,
            _ => 0.0,
        }
    }

    /// The text to enter when no field could be tied to it: what is quoted, or what remains of the sentence without
    /// its verb, its small words and the field's name.
    fn loose_value(&self, element: &Element) -> Option<String> {
        if let Some(quoted) = quoted(&self.text) {
            return Some(quoted);
        }
        let actions = &self.words.all.actions;
        let verb = mentions(&actions.type_text, &self.text).or_else(|| mentions(&actions.choose, &self.text))?;
        let lower = self.text.to_lowercase();
        // Only where lower-casing kept the bytes in place can they be used to cut the original.
        if lower.len() != self.text.len() {
            return None;
        }
        let after = find_word(&lower, verb)?.end;
        let rest = self.text.get(after..)?;
        let name = norm(element.name());
        let end = find_word(&rest.to_lowercase(), &name).map_or(rest.len(), |range| range.start);
        let mut value = rest.get(..end)?.trim();
        loop {
            let before = value;
            for list in [&self.words.all.connectors.into, &self.words.all.connectors.filler] {
                for word in list {
                    let lower = value.to_lowercase();
                    if lower.len() == value.len() && lower.ends_with(word.as_str()) {
                        let cut = value.len() - word.len();
                        if find_word(&lower, word).is_some_and(|range| range.end == lower.len() || range.start < cut) {
                            value = value.get(..cut).unwrap_or_default().trim_end();
                        }
                    }
                }
            }
            if value == before {
                break;
            }
        }
        (!value.is_empty()).then(|| value.to_string())
    }
}

/// Whether another interactive element goes by the same name.
fn ambiguous(element: &Element, scene: &Scene) -> bool {
    let same = |e: &&Element| norm(e.name()) == norm(element.name()) && e.role.is_interactive();
    scene.elements.iter().filter(same).count() > 1
}

fn parts_of(name: &str) -> Vec<String> {
    name.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).map(str::to_string).collect()
}

fn quoted(text: &str) -> Option<String> {
    for (open, close) in [('"', '"'), ('“', '”'), ('「', '」'), ('\'', '\'')] {
        let start = match text.find(open) {
            Some(at) => at + open.len_utf8(),
            None => continue,
        };
        if let Some(length) = text.get(start..).and_then(|rest| rest.find(close)) {
            return text.get(start..start + length).filter(|inner| !inner.is_empty()).map(str::to_string);
        }
    }
    None
}

/// A key or chord that the sentence names: `Ctrl+S`, `F5`, `Enter`, 回车.
fn chord_in(text: &str) -> Option<String> {
    const MODIFIERS: [&str; 8] = ["ctrl", "control", "alt", "shift", "win", "super", "cmd", "meta"];
    const KEYS: [(&str, &str); 18] = [
        ("enter", "enter"),
        ("return", "enter"),
        ("回车", "enter"),
        ("esc", "escape"),
        ("escape", "escape"),
        ("tab", "tab"),
        ("delete", "delete"),
        ("backspace", "backspace"),
        ("home", "home"),
        ("end", "end"),
        ("pageup", "pageup"),
        ("pagedown", "pagedown"),
        ("space", "space"),
        ("空格", "space"),
        ("up", "up"),
        ("down", "down"),
        ("left", "left"),
        ("right", "right"),
    ];
    let lower = norm(text).replace(" + ", "+");
    let words: Vec<&str> =
        lower.split(|c: char| !(c.is_ascii_alphanumeric() || c == '+')).filter(|word| !word.is_empty()).collect();
    if let Some(chord) =
        words.iter().find(|word| word.split_once('+').is_some_and(|(first, _)| MODIFIERS.contains(&first)))
    {
        return Some((*chord).to_string());
    }
    let function_key =
        |word: &&&str| word.strip_prefix('f').and_then(|n| n.parse::<u8>().ok()).is_some_and(|n| (1..=24).contains(&n));
    if let Some(key) = words.iter().find(function_key) {
        return Some((*key).to_string());
    }
    let actions = &words_of_pressing(&lower);
    if !*actions {
        return None;
    }
    let named = KEYS.iter().find(|(name, _)| find_word(&lower, name).is_some_and(|range| says_key(&lower, range.end)));
    named.map(|(_, key)| (*key).to_string())
}

fn words_of_pressing(text: &str) -> bool {
    let actions = &words().all.actions;
    mentions(&actions.click, text).is_some() || mentions(&actions.press_key, text).is_some()
}

/// "press Enter" ends with the key or is followed by "key"; "press the Delete button" is not about a key.
fn says_key(text: &str, end: usize) -> bool {
    let rest = text.get(end..).unwrap_or_default().trim();
    rest.is_empty() || rest.starts_with("key") || rest.starts_with('键')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::CaptureId;

    fn scene() -> Scene {
        let element = |id: u32, role: &str, name: &str| {
            let field = matches!(role, "textbox" | "combobox" | "checkbox");
            serde_json::from_value(json!({"id": id, "role": role, "text": if field { "" } else { name },
                "label": if field { name } else { "" }, "value": field.then_some("")}))
            .unwrap()
        };
        let elements = vec![
            element(1, "textbox", "Customer name"),
            element(2, "textbox", "Quantity"),
            element(3, "combobox", "Payment"),
            element(4, "checkbox", "Urgent"),
            element(5, "button", "Save"),
            element(6, "button", "Delete"),
        ];
        Scene { capture: CaptureId(0), width: 0, height: 0, elements }
    }

    fn best(sentence: &str) -> String {
        let options = options_for(sentence, &scene());
        assert!(options.len() <= SHORTLIST);
        options.first().map(|o| format!("{} {}", o.call.tool, json!(o.call.arguments))).unwrap_or_default()
    }

    #[test]
    fn the_plain_reading_of_a_sentence_comes_first() {
        assert_eq!(best("Click the Save button"), r#"click {"element":"Save"}"#);
        assert_eq!(best("点击保存"), r#"click {"element":"Save"}"#);
        assert_eq!(
            best("Type Sample Ltd into Customer name"),
            r#"type_text {"element":"Customer name","text":"Sample Ltd"}"#
        );
        assert_eq!(best("在数量中输入 12"), r#"type_text {"element":"Quantity","text":"12"}"#);
        assert_eq!(best("Clear the quantity field"), r#"type_text {"element":"Quantity","text":""}"#);
        assert_eq!(best("把 Quantity 清空"), r#"type_text {"element":"Quantity","text":""}"#);
        assert_eq!(best("tick Urgent"), r#"click {"element":"Urgent"}"#);
        assert_eq!(best("press Ctrl+S"), r#"press_key {"keys":"ctrl+s"}"#);
    }

    #[test]
    fn a_sentence_about_something_else_finds_nothing() {
        let options = options_for("Open the garage door", &scene());
        assert!(options.first().is_none_or(|best| best.prior < LEAST_PRIOR), "{options:?}");
    }

    #[test]
    fn two_elements_of_one_name_are_told_apart_by_number() {
        let mut scene = scene();
        scene.elements[5].text = "Save".into();
        let options = options_for("Click Save", &scene);
        let ids: Vec<_> =
            options.iter().filter(|o| o.call.tool == "click").filter_map(|o| o.call.arguments.get("id")).collect();
        assert!(ids.contains(&&json!(5)) && ids.contains(&&json!(6)), "{options:?}");
    }
}
