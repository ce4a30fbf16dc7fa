//! `tristan explain`: verdicts from a file, as text or as any other output. Nothing is solved.

use std::path::Path;

use anyhow::Context;
use tristan_report::ReportContext;
use tristan_verdict::{SCHEMA_VERSION, Verdict};

use crate::args::ExplainArgs;
use crate::exit::{CommandError, Exit, OrExit};
use crate::input;
use crate::output::Output;
use crate::sinks::Sinks;

pub(super) fn run(args: &ExplainArgs, out: &mut Output) -> Result<Exit, CommandError> {
    let verdicts = read(&args.verdict)?;
    let mut sinks = Sinks::open(&args.sinks, verdicts.len() > 1)?;
    for verdict in verdicts {
        sinks.verdict(out, verdict, &ReportContext::default())?;
    }
    sinks.finish(out)?;
    Ok(Exit::Accept)
}

/// All verdicts in a file, one or many.
pub(super) fn read(path: &Path) -> Result<Vec<Verdict>, CommandError> {
    let name = input::Source::at(path).name();
    let text = input::text(path)?;
    let stream = serde_json::Deserializer::from_str(&text).into_iter::<Verdict>();
    let verdicts = stream.collect::<Result<Vec<_>, _>>();
    let verdicts =
        verdicts.with_context(|| format!("{name}: not a verdict")).or_exit(Exit::BadInput)?;
    if verdicts.is_empty() {
        let message = format!("{name}: the file is empty; expected a verdict");
        return Err(CommandError::new(Exit::BadInput, message));
    }
    if let Some(other) = verdicts.iter().find(|verdict| verdict.schema != SCHEMA_VERSION) {
        let found = &other.schema;
        let message = format!("{name}: found schema {found:?}, expected {SCHEMA_VERSION:?}");
        return Err(CommandError::new(Exit::BadInput, message));
    }
    Ok(verdicts)
}
