//! `deskhand pack`: a new single executable with another model inside.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;

use super::Exit;
use crate::payload::{self, PackedPart, Part, Payload, Source, names};

const AFTER_HELP: &str = "\
Examples:
  deskhand pack --model my-model.gguf -o deskhand-mine      this program with another model
  deskhand pack --parts ~/.cache/deskhand/models -o full    a complete program from a bare one

The new file is written beside its place and renamed when it is complete. An executable for Windows
of 4 GiB or more is refused, because Windows would not start it.";

/// Writes a new executable with another model inside.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// GGUF file to put in as the language model
    #[arg(long, value_name = "FILE", required_unless_present = "parts")]
    model: Option<PathBuf>,
    /// The new executable
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Folder with the files named in models/manifest.toml, instead of the parts inside this program
    #[arg(long, value_name = "DIR")]
    parts: Option<PathBuf>,
    /// Program to put the parts into, instead of this one
    #[arg(long, value_name = "FILE")]
    exe: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let started = Instant::now();
    let mut parts = match &args.parts {
        Some(folder) => payload::manifest::parts(folder)?,
        None => own_parts(&Payload::open_self()?)?,
    };
    if let Some(path) = &args.model {
        let model = payload::manifest::model(path)?;
        match parts.iter_mut().find(|part| part.name == names::LLM) {
            Some(part) => *part = model,
            None => parts.insert(0, model),
        }
    }
    let executable = match args.exe {
        Some(path) => path,
        None => std::env::current_exe().context("this program cannot be found on the disk")?,
    };
    let mut out = std::io::stdout().lock();
    let mut failed = Ok(());
    let packed = payload::pack(&executable, &parts, &args.output, &mut |part| {
        if !args.json && failed.is_ok() {
            failed = writeln!(out, "{}", line(part));
        }
    })?;
    failed?;
    let seconds = started.elapsed().as_secs_f64();
    if args.json {
        let mut document = serde_json::to_value(&packed)?;
        document["seconds"] = serde_json::json!((seconds * 1000.0).round() / 1000.0);
        writeln!(out, "{document}")?;
    } else {
        writeln!(
            out,
            "{}: {} in {seconds:.1} s (program {}, {} parts)",
            shown(&packed.output),
            megabytes(packed.bytes),
            megabytes(packed.executable_bytes),
            packed.parts.len(),
        )?;
    }
    Ok(Exit::Done)
}

/// What this program carries, checked.
fn own_parts(own: &Payload) -> anyhow::Result<Vec<Part>> {
    own.entries()
        .map(|entry| {
            Ok(Part {
                name: entry.name.clone(),
                source: Source::Payload(own.get(&entry.name)?),
                kind: entry.kind.clone(),
                licence: entry.licence.clone(),
                origin: entry.origin.clone(),
                sha256: Some(entry.sha256.clone()),
            })
        })
        .collect()
}

fn line(part: &PackedPart) -> String {
    format!("  {:<12} {:>9}  {}, {}", part.name, megabytes(part.bytes), part.origin, part.licence)
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
