//! `tristan completions`: a script for the shell.

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use crate::args::{Cli, ShellName};
use crate::exit::{CommandError, Exit};
use crate::output::Output;

pub(super) fn run(shell: ShellName, out: &mut Output) -> Result<Exit, CommandError> {
    let shell = match shell {
        ShellName::Bash => Shell::Bash,
        ShellName::Zsh => Shell::Zsh,
        ShellName::Fish => Shell::Fish,
    };
    let mut script = Vec::new();
    generate(shell, &mut Cli::command(), "tristan", &mut script);
    out.write(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Accept)
}
