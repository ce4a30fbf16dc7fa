//! `tristan certify`: does the evidence in a verdict show what the verdict claims?

use anyhow::Context;
use tristan_certify::Certified;
use tristan_history::History;
use tristan_spec::Catalog;
use tristan_verdict::{Answer, Verdict};

use super::{explain, reading, solve, written};
use crate::args::CertifyArgs;
use crate::exit::{Exit, Failure, OrExit};
use crate::input::Source;
use crate::limits;
use crate::output::Output;

pub(super) fn run(args: &CertifyArgs, out: &mut Output) -> Result<Exit, Failure> {
    let verdicts = explain::read(&args.verdict)?;
    let source = Source::at(&args.trace);
    let history = source.read(args.from, args.initial.as_ref())?;
    let mut worst = Exit::Accept;
    for verdict in &verdicts {
        limits::budget().enter("certify");
        limits::budget().check().map_err(|stop| limits::failure(&source.name(), stop))?;
        let (text, exit) = one(args, &source, &history, verdict)?;
        out.write(&text)?;
        worst = worst.or_worse(exit);
    }
    Ok(worst)
}

fn one(
    args: &CertifyArgs,
    source: &Source,
    history: &History,
    verdict: &Verdict,
) -> Result<(String, Exit), Failure> {
    let level = Catalog::of(&written::library(&args.files)?).find(&verdict.level);
    let place = args.verdict.display().to_string();
    let level = level.with_context(|| place.clone()).or_exit(Exit::BadInput)?;
    let interpretation = reading::of_verdict(&args.reading, history, verdict)
        .map_err(|failure| Failure { error: failure.error.context(place), ..failure })?;
    let history = interpretation.apply(history);
    solve::promised(&level, &history, source)?;
    solve::drift(args.clock_drift, &history, source)?;
    let name = match &verdict.semantics {
        Some(semantics) => format!("{} with {semantics}", level.name),
        None => level.name.clone(),
    };
    Ok(match tristan_certify::certify(&history, &level, args.clock_drift, verdict) {
        Ok(Certified::NothingToCheck) => {
            (format!("{name}: the verdict is unknown and claims nothing\n"), Exit::Unknown)
        }
        Ok(Certified::Accept | Certified::Reject) => {
            (format!("{name}: certified {}\n", what(verdict)), Exit::Accept)
        }
        Err(refused) => (format!("{name}: refused: {refused}\n"), Exit::Reject),
    })
}

/// What was looked at.
fn what(verdict: &Verdict) -> String {
    match &verdict.answer {
        Answer::Accept { witness } => format!(
            "ACCEPT: an execution with {} points explains the trace and satisfies {}",
            witness.order.len(),
            verdict.definition
        ),
        Answer::Reject { refutation, .. } if !refutation.cases.is_empty() => format!(
            "REJECT: each of {} cases is refuted, and together they cover every possibility",
            refutation.cases.len()
        ),
        Answer::Reject { refutation, .. } if refutation.bad.is_some() => {
            "REJECT: the read is bad, whatever the database did".to_owned()
        }
        Answer::Reject { refutation, .. } => format!(
            "REJECT: the trace bears out each of {} conflicts, and together they leave nothing open",
            refutation.conflicts.len()
        ),
        Answer::Unknown { .. } => "nothing".to_owned(),
    }
}
