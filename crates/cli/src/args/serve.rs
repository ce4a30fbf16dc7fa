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

Open the printed address in a browser. The pages list all verdicts (files written by -o json=FILE) and \
traces below the folder, show reports, compare two runs side by side, and check a trace that you drop on \
them. The server writes nothing and reads nothing outside the folder. Press Ctrl-C to stop it.";

/// `tristan serve`
#[derive(Debug, Args)]
#[command(after_help = SERVE_HELP)]
pub(crate) struct ServeArgs {
    /// The folder with verdicts and traces
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// The port to listen on; 0 picks a free one
    #[arg(long, value_name = "PORT", default_value = "7007")]
    pub(crate) port: u16,
    /// The address to listen on; any other than the default lets others see everything below the folder
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) bind: IpAddr,
    /// Maximum size of a trace dropped on the page, for example 64M
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = units::size)]
    pub(crate) upload: u64,
    /// Maximum time for one check, for example 60s; when it is reached, the verdict is unknown
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = units::duration)]
    pub(crate) time: Duration,
    /// Maximum memory for one check, for example 4G; when it is reached, the verdict is unknown
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub(crate) memory: Option<u64>,
}
