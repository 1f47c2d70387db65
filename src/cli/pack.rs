//! `deskhand pack`: a new single executable with another model inside.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::Context;

use super::{Exit, progress};
use crate::model::local::requantise;
use crate::model::local::tensor_type::TensorType;
use crate::payload::{self, Entry, PackError, Part, Payload, Source, System, names};

const AFTER_HELP: &str = "\
Examples:
  deskhand pack --model my-model.gguf -o deskhand-mine      this program with another model
  deskhand pack --model my-model.gguf --quantise q8_0 -o deskhand-mine
  deskhand pack --parts ~/.cache/deskhand/models -o full    a complete program from a bare one

The new file is written beside its place and renamed when it is complete. An executable for Windows
of 4 GiB or more is refused, because Windows would not start it.";

/// Write a new executable with another model inside
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
    /// Store the model's weights in this type instead of the file's own
    #[arg(long, value_name = "TYPE")]
    quantise: Option<Quantisation>,
    /// Program to put the parts into, instead of this one
    #[arg(long, value_name = "FILE")]
    exe: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// The types that have kernels of their own. Not Q4_1: a tuned model loses its tuning in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Quantisation {
    #[value(name = "q8_0")]
    Q8_0,
    #[value(name = "q4_0")]
    Q4_0,
}

impl From<Quantisation> for TensorType {
    fn from(quantisation: Quantisation) -> Self {
        match quantisation {
            Quantisation::Q8_0 => TensorType::Q8_0,
            Quantisation::Q4_0 => TensorType::Q4_0,
        }
    }
}

/// Packs and says what is in the result.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let started = Instant::now();
    // From here on Ctrl-C is a wish that is granted at a moment when nothing is left behind.
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&stop)).context("Ctrl-C cannot be watched for")?;
    }
    let executable = match args.exe {
        Some(path) => path,
        None => std::env::current_exe().context("this program cannot be found on the disk")?,
    };
    let system = System::of_file(&executable)?;
    let mut parts = match &args.parts {
        Some(folder) => payload::manifest::parts(folder, system)?,
        None if system == System::own() => own_parts(&Payload::open_self()?)?,
        None => return Err(PackError::OtherSystem { path: executable, system: system.name() }.into()),
    };
    if let Some(path) = &args.model {
        let model = payload::manifest::model(path)?;
        match parts.iter_mut().find(|part| part.name == names::LLM) {
            Some(part) => *part = model,
            None => parts.insert(0, model),
        }
    }
    let mut rewritten = None;
    if let Some(quantisation) = args.quantise {
        let model = parts.iter_mut().find(|part| part.name == names::LLM).context("there is no model to store")?;
        rewritten = Some(quantise(model, quantisation.into(), &args.output)?);
    }
    let mut out = std::io::stdout().lock();
    let mut told = Ok(());
    let packed = payload::pack(&executable, &parts, &args.output, &stop, &mut |part| {
        if !args.json && told.is_ok() {
            told = writeln!(out, "{}", line(part));
        }
    });
    drop(rewritten);
    let packed = match packed {
        Ok(packed) => packed,
        Err(error @ PackError::Stopped) => {
            progress::complain(&error.to_string());
            return Ok(Exit::Stopped);
        }
        Err(error) => return Err(error.into()),
    };
    told?;
    let seconds = started.elapsed().as_secs_f64();
    if args.json {
        let mut document = serde_json::to_value(&packed)?;
        document["seconds"] = serde_json::json!((seconds * 1000.0).round() / 1000.0);
        writeln!(out, "{document}")?;
    } else {
        let (whole, program) = (megabytes(packed.bytes), megabytes(packed.executable_bytes));
        let count = packed.parts.len();
        writeln!(out, "{}: {whole} in {seconds:.1} s (program {program}, {count} parts)", packed.output.display())?;
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

/// A file that is needed while packing only.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Replaces the model by a copy in another storage type, which lies beside the result until that is written.
fn quantise(model: &mut Part, kind: TensorType, output: &Path) -> anyhow::Result<Temporary> {
    let Source::File(from) = &model.source else {
        anyhow::bail!("--quantise needs a model file: add --model FILE or --parts DIR");
    };
    model.check()?;
    let mut name = output.file_name().unwrap_or_default().to_owned();
    name.push(format!(".model{}", std::process::id()));
    let copy = Temporary(output.with_file_name(name));
    requantise(from, &copy.0, kind)?;
    model.origin = format!("{}, weights stored as {}", model.origin, kind.name());
    model.source = Source::File(copy.0.clone());
    model.sha256 = None;
    Ok(copy)
}

fn line(part: &Entry) -> String {
    format!("  {:<12} {:>9}  {}, {}", part.name, megabytes(part.length), part.origin, part.licence)
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
