//! `tristan man`: manual pages, from the same place as `--help`.

use clap::CommandFactory;
use clap_mangen::Man;

use crate::args::Cli;
use crate::exit::{CommandError, Exit, OrExit};
use crate::output::Output;

pub(super) fn run(command: Option<&str>, out: &mut Output) -> Result<Exit, CommandError> {
    let mut tristan = Cli::command();
    tristan.build();
    let page = match command {
        None => tristan,
        Some(name) => {
            let known = tristan.find_subcommand(name).cloned();
            let unknown = || CommandError::new(Exit::Usage, format!("unknown command {name}"));
            known.ok_or_else(unknown)?
        }
    };
    let mut text = Vec::new();
    Man::new(page).render(&mut text).or_exit(Exit::Bug)?;
    out.write(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Accept)
}
