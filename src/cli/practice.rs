//! `deskhand practice`.

use std::path::PathBuf;

use super::{Exit, progress};
use crate::app::practice::{self, Lang, Options, PracticeError};
use crate::desktop::DesktopError;

const AFTER_HELP: &str = "\
Examples:
  deskhand practice                              the plain window, in English
  deskhand practice --lang zh --seed 3           in Chinese, with other labels, order, colours, place
  deskhand practice --log saved.jsonl            note every saved record

Each line of the log is one record: order_no, customer, product_code, quantity, unit_price, payment, urgent, remark,
the values exactly as they were typed. The window ends when it is closed.";

/// Open a small order-entry window to try Deskhand on
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Language of the window
    #[arg(long, value_enum, default_value = "en")]
    lang: LangArg,
    /// Varies field order, labels, text size, colours and place; 0 is plain
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Append every saved record to this file, one line of JSON each
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum LangArg {
    En,
    Zh,
}

impl From<LangArg> for Lang {
    fn from(arg: LangArg) -> Self {
        match arg {
            LangArg::En => Self::En,
            LangArg::Zh => Self::Zh,
        }
    }
}

/// Shows the window until it is closed.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let options = Options { lang: args.lang.into(), seed: args.seed, log: args.log };
    match practice::run(options) {
        Ok(()) => Ok(Exit::Done),
        Err(PracticeError::NoDisplay(reason)) => Err(DesktopError::NoDisplay(reason).into()),
        Err(error @ PracticeError::Window(_)) => {
            progress::complain(&error.to_string());
            Ok(Exit::NotReady)
        }
        Err(error @ PracticeError::Log { .. }) => Err(error.into()),
    }
}
