//! `deskhand decide`: what the model would do on a scene; nothing is executed.

use std::path::PathBuf;

use anyhow::Context;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::agent;
use crate::assembly::{ModelChoice, model};
use crate::desktop::StopSignal;
use crate::model::Reply;
use crate::scene::{CaptureId, Element, Scene};
use crate::tools::{Registry, target_of};

use super::{Exit, progress};

/// Say what the model would do on a scene, without doing it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  deskhand see --window Orders --json > scene.json
  deskhand decide --scene scene.json \"Click the Save button\"
  deskhand decide --scene scene.json \"在数量中输入 12\" --json

SCENE.json is what `deskhand see --json` prints; it needs only
{\"elements\":[{\"id\",\"role\",\"text\",\"label\",\"value\"}..],\"history\":[..]}.
Each entry of history stands for one thing of the sentence that is already done.")]
pub struct Args {
    /// The screen as a file.
    #[arg(long, value_name = "SCENE.json")]
    scene: PathBuf,
    /// What to do.
    sentence: String,
    /// A GGUF file to decide with instead of the embedded model.
    #[arg(long, value_name = "FILE")]
    model: Option<String>,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Deserialize)]
struct SceneFile {
    elements: Vec<Element>,
    #[serde(default)]
    history: Vec<Value>,
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let text = std::fs::read_to_string(&args.scene)
        .with_context(|| format!("the scene {} cannot be read", args.scene.display()))?;
    let file: SceneFile = serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .with_context(|| format!("{} is not a scene; `deskhand see --json` prints one", args.scene.display()))?;
    let scene = Scene { capture: CaptureId(0), width: 0, height: 0, elements: file.elements };
    let mut model = model(&ModelChoice::parse(args.model.as_deref()))?;
    let started = std::time::Instant::now();
    let plan = agent::plan(&args.sentence, &scene);
    let ms = |started: std::time::Instant| u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let Some(request) = plan.get(file.history.len()) else {
        return told(
            args.json,
            &json!({"tool": "done", "element": null, "arguments": {"answer": "all of it is done"},
            "confidence": 1.0, "ms": ms(started), "model_calls": 0, "options": []}),
        );
    };
    let tools = Registry::built_in()?.definitions();
    let decision = agent::decide(model.as_mut(), tools, Vec::new(), request, &scene, &StopSignal::default())?;
    let Some(decision) = decision else {
        return told(
            args.json,
            &json!({"tool": "missing", "element": null, "arguments": {}, "confidence": 1.0,
            "ms": ms(started), "model_calls": 0, "options": []}),
        );
    };
    let (tool, element, arguments) = match &decision.reply {
        Reply::Call(call) => (call.tool.clone(), target_of(call, &scene).map(|e| e.id), json!(call.arguments)),
        Reply::Answer(answer) => ("done".into(), None, json!({ "answer": answer })),
    };
    told(
        args.json,
        &json!({"tool": tool, "element": element, "arguments": arguments,
        "confidence": decision.confidence, "ms": ms(started), "model_calls": decision.model_calls,
        "options": decision.scores}),
    )
}

fn told(as_json: bool, decision: &Value) -> anyhow::Result<Exit> {
    if as_json {
        progress::json_line(decision)?;
        return Ok(Exit::Done);
    }
    let element = decision["element"].as_u64().map(|id| format!(" (element {id})")).unwrap_or_default();
    let confidence = decision["confidence"].as_f64().unwrap_or_default();
    progress::line(&format!(
        "{} {}{element}  confidence {confidence:.2}, {} ms",
        text(&decision["tool"]),
        decision["arguments"],
        decision["ms"]
    ))?;
    for option in decision["options"].as_array().into_iter().flatten() {
        progress::line(&format!(
            "  {:>7.3}  model {:>7.3}  words {:.2}  {}",
            number(&option["total"]),
            number(&option["model"]),
            number(&option["prior"]),
            text(&option["phrase"])
        ))?;
    }
    Ok(Exit::Done)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_default()
}
