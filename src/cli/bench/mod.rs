//! `deskhand bench`: how fast the embedded model and the eyes are on this machine. Needs no display.

mod changes;
mod machine;
mod vision;

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::Context;
use serde::Serialize;
use serde_json::json;

use self::machine::peak_memory;
use super::Exit;
use crate::assembly;
use crate::model::local::{Level, LocalModel};
use crate::model::{ActionOption, ChatModel, Turn};
use crate::scene::ToolCall;

/// Tokens of the reading test, as llama-bench has it.
const PROMPT: usize = 512;
/// Tokens of the writing tests, as llama-bench has it; one begins after [`PROMPT`] tokens.
const GENERATE: usize = 128;
/// Repetitions of each test; with `--quick` the least that gives a deviation.
const REPETITIONS: usize = 5;
const QUICK_REPETITIONS: usize = 3;

/// Measure the speed of the model and of the eyes.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  deskhand bench                    everything\n  deskhand bench llm --threads 1    reading and writing on one thread\n  deskhand bench step --json        one decision among eight options\n  deskhand bench llm --kernels portable --quick    as on a processor without AVX2\n  deskhand bench vision *.png       a look at each picture, and again after a change\n  deskhand bench vision --sequence 0*.png    are pictures in turn seen as each one afresh?"
)]
pub struct Args {
    /// What to measure.
    #[arg(value_enum, default_value = "all")]
    what: What,
    /// Screenshots for `vision` (PNG or JPEG).
    #[arg(value_name = "PICTURE")]
    pictures: Vec<PathBuf>,
    /// The pictures follow each other: compare what is seen of them in turn with what is seen of each alone.
    #[arg(long)]
    sequence: bool,
    /// A GGUF file instead of the embedded model.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Threads to use (default: one for each core).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Instructions to use (default: the best that this processor has).
    #[arg(long, value_enum, value_name = "LEVEL")]
    kernels: Option<Level>,
    /// Fewer repetitions.
    #[arg(long)]
    quick: bool,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// The things that can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum What {
    /// Tokens a second, reading (pp) and writing (tg).
    Llm,
    /// One decision among eight options.
    Step,
    /// Both.
    All,
    /// A look at a screenshot, and again after words were typed and a part was scrolled.
    Vision,
}

/// One line of the table.
#[derive(Debug, Serialize)]
struct Row {
    test: String,
    /// Mean tokens per second.
    tokens_per_second: f64,
    deviation: f64,
    repetitions: usize,
}

/// The decision test.
#[derive(Debug, Serialize)]
struct Step {
    options: usize,
    /// The first decision, which also reads the instructions.
    first_ms: f64,
    median_ms: f64,
    tokens: usize,
    model_calls: usize,
    repetitions: usize,
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    if args.what == What::Vision {
        return vision::run(&args.pictures, args.sequence, args.json);
    }
    anyhow::ensure!(args.pictures.is_empty() && !args.sequence, "pictures are for `deskhand bench vision PICTURE...`");
    let threads = match args.threads {
        Some(n) => usize::from(n),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")?;
    pool.install(|| measure(&args, threads))
}

fn measure(args: &Args, threads: usize) -> anyhow::Result<Exit> {
    let (name, bytes) = assembly::model_bytes(args.model.as_deref())?;
    let started = Instant::now();
    let mut model = LocalModel::load(&name, Arc::new(bytes))?;
    if let Some(level) = args.kernels {
        anyhow::ensure!(model.use_kernels(level), "this processor cannot run the {} kernels", level.name());
    }
    let load_ms = started.elapsed().as_secs_f64() * 1e3;
    let repetitions = if args.quick { QUICK_REPETITIONS } else { REPETITIONS };
    let rows = match args.what {
        What::Llm | What::All => speeds(&mut model, repetitions)?,
        What::Step | What::Vision => Vec::new(),
    };
    let step = match args.what {
        What::Step | What::All => Some(step(&mut model, repetitions)?),
        What::Llm | What::Vision => None,
    };
    let facts = model.facts().clone();
    let peak = peak_memory();
    let mut out = std::io::stdout().lock();
    if args.json {
        let document = json!({
            "model": facts.name, "type": facts.storage, "bytes": facts.file_bytes, "parameters": facts.parameters,
            "threads": threads, "kernels": model.kernels().name(), "load_ms": load_ms, "peak_memory_bytes": peak, "tests": rows, "step": step,
        });
        writeln!(out, "{document:#}")?;
        return Ok(Exit::Done);
    }
    let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    let model_column = format!("{} {}", facts.name, facts.storage);
    let width = model_column.chars().count().max(5);
    if !rows.is_empty() {
        writeln!(
            out,
            "| {:width$} | {:>10} | {:>8} | {:>7} | {:>14} | {:>16} |",
            "model", "size", "params", "threads", "test", "t/s"
        )?;
        writeln!(out, "| {:-<width$} | {:->9}: | {:->7}: | {:->6}: | {:->13}: | {:->15}: |", "", "", "", "", "", "")?;
    }
    for row in &rows {
        let size = format!("{:.2} MiB", mib(facts.file_bytes));
        let params = format!("{:.2} M", facts.parameters as f64 / 1e6);
        let speed = format!("{:.2} ± {:.2}", row.tokens_per_second, row.deviation);
        writeln!(
            out,
            "| {model_column:width$} | {size:>10} | {params:>8} | {threads:>7} | {:>14} | {speed:>16} |",
            row.test
        )?;
    }
    if let Some(step) = &step {
        writeln!(
            out,
            "one decision among {} options: {:.0} ms (median of {}), the first {:.0} ms; {} tokens in {} passes",
            step.options, step.median_ms, step.repetitions, step.first_ms, step.tokens, step.model_calls
        )?;
    }
    let kernels = model.kernels().name();
    match peak {
        Some(bytes) => writeln!(out, "{kernels} kernels, load {load_ms:.0} ms, peak memory {:.0} MiB", mib(bytes))?,
        None => writeln!(out, "{kernels} kernels, load {load_ms:.0} ms")?,
    }
    Ok(Exit::Done)
}

fn speeds(model: &mut LocalModel, repetitions: usize) -> anyhow::Result<Vec<Row>> {
    let stop = AtomicBool::new(false);
    let words = model.tokens(&SENTENCE.repeat(PROMPT))?;
    let prompt = words.get(..PROMPT).context("the test text is too short")?;
    let write = |model: &mut LocalModel| -> anyhow::Result<f64> {
        let started = Instant::now();
        for token in &words[..GENERATE] {
            model.advance(*token, &stop)?;
        }
        Ok(GENERATE as f64 / started.elapsed().as_secs_f64())
    };
    let mut speeds = [Vec::new(), Vec::new(), Vec::new()];
    // The first round only warms up.
    for round in 0..=repetitions {
        tell(&format!("round {round} of {repetitions}"));
        let started = Instant::now();
        model.prefill(prompt, &stop)?;
        let reading = PROMPT as f64 / started.elapsed().as_secs_f64();
        let deep = write(model)?;
        model.prefill(&prompt[..1], &stop)?;
        let writing = write(model)?;
        if round > 0 {
            for (speeds, speed) in speeds.iter_mut().zip([reading, writing, deep]) {
                speeds.push(speed);
            }
        }
    }
    let names = [format!("pp{PROMPT}"), format!("tg{GENERATE}"), format!("tg{GENERATE} @ d{PROMPT}")];
    Ok(names.into_iter().zip(&speeds).map(|(name, speeds)| row(name, speeds)).collect())
}

fn row(test: String, speeds: &[f64]) -> Row {
    let n = speeds.len() as f64;
    let mean = speeds.iter().sum::<f64>() / n;
    let variance = speeds.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    Row { test, tokens_per_second: mean, deviation: variance.sqrt(), repetitions: speeds.len() }
}

fn step(model: &mut LocalModel, repetitions: usize) -> anyhow::Result<Step> {
    let stop = AtomicBool::new(false);
    let turn = example_turn();
    let mut times = Vec::new();
    let mut counts = (0, 0);
    for round in 0..=repetitions {
        tell(&format!("decision {round} of {repetitions}"));
        let started = Instant::now();
        let decision = model.decide(&turn, &stop)?;
        times.push(started.elapsed().as_secs_f64() * 1e3);
        counts = (decision.tokens, decision.model_calls);
    }
    let first_ms = times.remove(0);
    times.sort_by(f64::total_cmp);
    Ok(Step {
        options: turn.options.len(),
        first_ms,
        median_ms: times[times.len() / 2],
        tokens: counts.0,
        model_calls: counts.1,
        repetitions: times.len(),
    })
}

/// Text for the reading test; what it says does not matter.
const SENTENCE: &str = "The quick brown fox jumps over the lazy dog near the river bank. ";

/// A typical decision: eight options after instructions of about three hundred tokens.
fn example_turn() -> Turn {
    let example = "Action: click the button \"Print\"\nRequest: Print the page\n";
    let fields = ["Customer name", "Customer code", "Quantity", "Unit price", "Category", "Payment terms", "Remarks"];
    let option = |phrase: String, prior: f32| ActionOption {
        call: ToolCall::new("click", json!({})),
        phrase,
        prior,
        open: None,
    };
    let mut options: Vec<_> =
        fields.iter().map(|field| option(format!("type \"Sample Ltd\" into the field \"{field}\""), 0.1)).collect();
    options.push(option("click the button \"Save\"".into(), 0.0));
    Turn {
        messages: Vec::new(),
        tools: Vec::new(),
        request: "Enter Sample Ltd as the customer".into(),
        channel_prefix: format!("{}Action: ", example.repeat(18)),
        channel_separator: "\nRequest: ".into(),
        options,
    }
}

/// Progress for a person who waits; nothing where output is collected.
fn tell(what: &str) {
    let mut err = std::io::stderr();
    if err.is_terminal() {
        // Progress that cannot be shown is no reason to stop measuring.
        let _ = write!(err, "\r\x1b[K{what}\r");
    }
}
