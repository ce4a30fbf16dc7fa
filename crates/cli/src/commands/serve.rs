//! `tristan serve`: a local page over many verdicts and traces.

use tristan_check::budget::Limits;
use tristan_serve::{Serve, ServeError};

use crate::args::ServeArgs;
use crate::complain;
use crate::exit::{CommandError, Exit};

pub(super) fn run(args: ServeArgs) -> Result<Exit, CommandError> {
    let told = args.folder.display().to_string();
    let serve = Serve {
        folder: args.folder,
        bind: args.bind,
        port: args.port,
        upload: usize::try_from(args.upload).unwrap_or(usize::MAX),
        limits: Limits { time: Some(args.time), memory: args.memory },
    };
    let bound = serve.bind().map_err(missing)?;
    let (verdicts, traces) = bound.found();
    if bound.is_public() {
        complain(
            "warning: other machines can reach this address and see everything below the folder",
        );
    }
    complain(&format!(
        "{told}: {verdicts} verdicts and {traces} traces at {} (press Ctrl-C to stop)",
        bound.url()
    ));
    bound.run().map_err(missing)?;
    Ok(Exit::Accept)
}

fn missing(error: ServeError) -> CommandError {
    CommandError { exit: Exit::MissingInput, error: error.into() }
}
