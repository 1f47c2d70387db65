//! `deskhand cleanup`: takes back what starts have left on this PC.

use serde_json::json;

use super::{Exit, progress};
use crate::tasks::{Kept, forget_installation};
use crate::{payload, record};

const AFTER_HELP: &str = "\
Examples:
  deskhand cleanup             delete it
  deskhand cleanup --dry-run   only show what would be deleted

On Windows the first start puts the inference runtime, one library of 19 MB, into the user's folder for local data
(%LOCALAPPDATA%\\Deskhand\\runtime), because Windows loads libraries from files only. Running tasks keeps an index of them and
the approvals that you asked to be remembered in the state folder (jobs.db). Both are deleted. Your run folders and
your policy.toml are yours and stay.";

/// Delete what earlier starts have left on this PC
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Only show what would be deleted
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Deletes and says what.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let runtime = payload::cleanup(args.dry_run).into_iter().map(|left| Kept {
        path: left.path,
        size: left.size,
        reason: left.kept.map(|error| format!("{error}; end every Deskhand that still runs, then try again")),
    });
    let state = record::state_dir().map(|state| forget_installation(&state, args.dry_run)).unwrap_or_default();
    let found: Vec<Kept> = runtime.chain(state).collect();
    let kept = found.iter().filter(|left| left.reason.is_some()).count();
    if args.json {
        let files: Vec<_> = found
            .iter()
            .map(|left| {
                let deleted = !args.dry_run && left.reason.is_none();
                json!({"path": left.path, "bytes": left.size, "deleted": deleted, "reason": left.reason})
            })
            .collect();
        progress::json_line(&json!({"dry_run": args.dry_run, "files": files}))?;
    } else if found.is_empty() {
        progress::line("Nothing is left to delete.")?;
    }
    for left in found.iter().filter(|_| !args.json) {
        let size = left.size as f64 / 1e6;
        let path = left.path.display();
        match &left.reason {
            Some(reason) => progress::line(&format!("kept         {size:.1} MB  {path} ({reason})"))?,
            None if args.dry_run => progress::line(&format!("would delete {size:.1} MB  {path}"))?,
            None => progress::line(&format!("deleted      {size:.1} MB  {path}"))?,
        }
    }
    Ok(if kept == 0 { Exit::Done } else { Exit::Failed })
}
