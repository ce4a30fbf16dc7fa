//! Where `compare` and `find` write what they found: for people, for programs, and as a page.

use crate::args::WrittenSinks;
use crate::destination::{Destination, Destinations, Kind};
use crate::exit::Failure;

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrittenKind {
    Text,
    Json,
    Html,
}

impl Kind for WrittenKind {
    const ALL: &'static [(&'static str, Self)] =
        &[("text", Self::Text), ("json", Self::Json), ("html", Self::Html)];
}

/// One `-o KIND=FILE`.
pub(crate) type WrittenSink = Destination<WrittenKind>;

/// Opens the files, so that a wrong path fails before any work is done.
pub(crate) fn open(args: &WrittenSinks) -> Result<Destinations<WrittenKind>, Failure> {
    let to = Destinations::open(&args.output)?;
    Ok(if args.json { to.usually(WrittenKind::Json) } else { to })
}
