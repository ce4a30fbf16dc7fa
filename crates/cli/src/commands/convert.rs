//! `tristan convert`: a trace in another form, and what that form cannot say.

use std::fs;
use std::path::Path;

use anyhow::Context;
use tristan_formats as formats;

use crate::args::ConvertArgs;
use crate::complain;
use crate::exit::{CommandError, Exit, OrExit};
use crate::input::Source;
use crate::limits;
use crate::output::Output;

pub(super) fn run(args: &ConvertArgs, out: &mut Output) -> Result<Exit, CommandError> {
    let to_stdout = args.output == Path::new("-");
    if to_stdout && args.to.is_folder() {
        let message = "this format is a folder: name one instead of -";
        return Err(CommandError::new(Exit::Usage, message.to_owned()));
    }
    let source = Source::at(&args.input);
    let history = source.read(args.from, args.initial.as_ref())?;
    for lost in formats::losses(&history, args.to) {
        complain(&format!("{}: lost: {lost}", source.name()));
    }
    if to_stdout {
        let mut bytes = Vec::new();
        formats::write(&history, args.to, &mut bytes).or_exit(Exit::Bug)?;
        out.write_bytes(&bytes)?;
        return Ok(Exit::Accept);
    }
    let budget = limits::budget();
    budget.enter("writing");
    let written = formats::write_to_within(&history, args.to, &args.output, &budget);
    let name = args.output.display().to_string();
    if let Some(stop) = written.as_ref().err().and_then(formats::stop_behind) {
        // Half a trace reads like a whole one.
        let _ = fs::remove_file(&args.output);
        return Err(limits::failure(&name, stop));
    }
    written.with_context(|| name).or_unwritten()?;
    Ok(Exit::Accept)
}
