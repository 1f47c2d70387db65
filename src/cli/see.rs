//! `deskhand see`.

use super::Exit;

/// (under construction)
#[derive(Debug, clap::Args)]
pub struct Args {}

pub fn run(_args: Args) -> anyhow::Result<Exit> {
    anyhow::bail!("not built yet")
}
