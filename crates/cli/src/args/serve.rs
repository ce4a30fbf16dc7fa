//! The flags of `tristan serve`.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::units;

const SERVE_HELP: &str = "\
Examples:
  tristan serve runs
  tristan serve . --port 0 --time 5m

Open the address that is printed. There is a list of all verdicts (files that -o json=FILE wrote) and
traces below the folder, with filters; reports; two runs side by side; and a place to drop a trace on.
Nothing is written, and nothing outside of the folder can be read. Ctrl-C ends it.";

/// `tristan serve`
#[derive(Debug, Args)]
#[command(after_help = SERVE_HELP)]
pub(crate) struct ServeArgs {
    /// The folder with verdicts and traces
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// The port; 0 is any that is free
    #[arg(long, value_name = "PORT", default_value = "7007")]
    pub(crate) port: u16,
    /// The address to listen on; with another one, others can see everything below the folder
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) bind: IpAddr,
    /// The largest trace that may be dropped on the page, as in 64M
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = units::size)]
    pub(crate) upload: u64,
    /// Give up on a check after this long, as in 60s
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = units::duration)]
    pub(crate) time: Duration,
    /// Give up on a check rather than use more memory than this, as in 4G
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub(crate) memory: Option<u64>,
}
