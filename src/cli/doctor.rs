//! `deskhand doctor`: whether this machine is ready, found before the first action.

use serde::Serialize;
use serde_json::json;

use crate::assembly;
use crate::desktop::{CaptureArea, Desktop};
use crate::payload::{self, Payload};
use crate::record;

use super::{Exit, network, progress};

/// Check whether this machine is ready, and say what to do where it is not.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit code 0 when everything needed is there, 5 when something is missing. Nothing is written.")]
pub struct Args {
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Check {
    name: String,
    ok: bool,
    detail: String,
}

impl Check {
    fn of(name: &str, result: anyhow::Result<String>) -> Self {
        match result {
            Ok(detail) => Check { name: name.into(), ok: true, detail },
            Err(error) => Check { name: name.into(), ok: false, detail: format!("{error:#}") },
        }
    }
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let mut checks = desktop_checks();
    let payload = Payload::open_self();
    checks.push(Check::of("payload", payload_facts(&payload)));
    if let Ok(payload) = &payload {
        let loaded = match payload.entries().any(|part| part.name == payload::names::DETECTOR_NEAR) {
            true => "text recognition, element detector and their runtime load",
            false => "text recognition and its runtime load; these parts have no element detector",
        };
        let eyes = assembly::eyes(payload).map(|_| loaded.to_owned());
        checks.push(Check::of("eyes", eyes));
        let model = assembly::model(&assembly::ModelChoice::Embedded);
        checks.push(Check::of("model", model.map(|model| model.name().to_string())));
    }
    checks.push(Check::of("network", network::network()));
    let runs = record::default_runs_dir().map(|path| path.display().to_string());
    checks.push(Check::of("run folders", runs.ok_or_else(|| anyhow::anyhow!("no place found; use --run-dir"))));
    let ready = checks.iter().all(|check| check.ok);
    if args.json {
        progress::json_line(&json!({"ready": ready, "version": env!("CARGO_PKG_VERSION"), "checks": checks}))?;
    } else {
        for check in &checks {
            progress::line(&format!("{}  {:<12} {}", if check.ok { "ok " } else { "NO " }, check.name, check.detail))?;
        }
        progress::line(if ready {
            "This machine is ready."
        } else {
            "This machine is not ready; see the lines marked NO."
        })?;
    }
    Ok(if ready { Exit::Done } else { Exit::NotReady })
}

fn desktop_checks() -> Vec<Check> {
    let mut desktop = match Desktop::open() {
        Ok(desktop) => desktop,
        Err(error) => return vec![Check::of("display", Err(error.into()))],
    };
    let facts: Vec<String> = desktop.facts().into_iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let capture = desktop.capture(CaptureArea::All).map(|capture| {
        let (width, height) = capture.image.dimensions();
        format!("{width}x{height} pixels")
    });
    let windows = desktop.windows().map(|windows| {
        let titles: Vec<String> = windows.into_iter().map(|window| format!("\"{}\"", window.title)).collect();
        if titles.is_empty() { "none open".to_string() } else { titles.join(", ") }
    });
    vec![
        Check::of("display", Ok(facts.join(", "))),
        Check::of("capture", capture.map_err(Into::into)),
        Check::of("windows", windows.map_err(Into::into)),
    ]
}

fn payload_facts(payload: &crate::payload::Result<Payload>) -> anyhow::Result<String> {
    let payload = payload.as_ref().map_err(|error| anyhow::anyhow!("{error}"))?;
    let parts: Vec<String> = payload.entries().map(|entry| entry.name.clone()).collect();
    Ok(parts.join(", "))
}
