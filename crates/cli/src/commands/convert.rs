//! `tristan convert`: a trace in another form, and what that form cannot say.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use tristan_history::formats;

use crate::args::ConvertArgs;
use crate::complain;
use crate::exit::{Exit, Failure, OrExit};
use crate::input::Source;
use crate::output::Output;

pub(super) fn run(args: &ConvertArgs, out: &mut Output) -> Result<Exit, Failure> {
    let source = Source::at(&args.input);
    let history = source.read(args.from, args.initial.as_ref())?;
    for lost in formats::losses(&history, args.to) {
        complain(&format!("{}: lost: {lost}", source.name()));
    }
    if args.output == Path::new("-") {
        let mut bytes = Vec::new();
        formats::write(&history, args.to, &mut bytes).or_exit(Exit::Bug)?;
        out.write_bytes(&bytes)?;
        return Ok(Exit::Accept);
    }
    let name = args.output.display();
    let file = File::create(&args.output).with_context(|| name.to_string()).or_exit(Exit::Usage)?;
    let mut file = BufWriter::new(file);
    let written = formats::write(&history, args.to, &mut file).and_then(|()| file.flush());
    written.with_context(|| name.to_string()).or_exit(Exit::Usage)?;
    Ok(Exit::Accept)
}
