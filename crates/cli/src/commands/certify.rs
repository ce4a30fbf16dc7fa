//! `tristan certify`: does the evidence in a verdict show what the verdict claims?

use anyhow::Context;
use tristan_certify::{Certificate, Certified, Unchecked};
use tristan_history::History;
use tristan_spec::Catalog;
use tristan_verdict::{Answer, Refutation, Verdict};

use super::{explain, reading, solve, written};
use crate::args::CertifyArgs;
use crate::exit::{CommandError, Exit, OrExit};
use crate::input::Source;
use crate::limits;
use crate::output::{Output, printable};

pub(super) fn run(args: &CertifyArgs, out: &mut Output) -> Result<Exit, CommandError> {
    let verdicts = explain::read(&args.verdict)?;
    let source = Source::at(&args.trace);
    let history = source.read(args.from, args.initial.as_ref())?;
    let mut worst = Exit::Accept;
    for verdict in &verdicts {
        let _certifying = limits::budget().scope("certify");
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
) -> Result<(String, Exit), CommandError> {
    let level = Catalog::of(&written::library(&args.files)?).find(&verdict.level);
    let place = args.verdict.display().to_string();
    let level = level.with_context(|| place.clone()).or_exit(Exit::BadInput)?;
    let interpretation = reading::of_verdict(&args.reading, history, verdict)
        .map_err(|failure| CommandError { error: failure.error.context(place), ..failure })?;
    let read_as = interpretation.apply(history);
    solve::promised(&level, &read_as, source)?;
    solve::drift(args.clock_drift, &read_as, source)?;
    let name = match &verdict.semantics {
        Some(semantics) => format!("{} with {semantics}", level.name),
        None => level.name.clone(),
    };
    let examined = tristan_certify::examine((history, &read_as), &level, args.clock_drift, verdict);
    Ok(match examined {
        Ok(Certificate { certified: Certified::NothingToCheck, unchecked, .. }) => {
            let open = not_checked(&unchecked);
            (
                format!("{name}: the verdict is unknown, so there is nothing to certify\n{open}"),
                Exit::Unknown,
            )
        }
        Ok(Certificate { unchecked, .. }) => {
            let open = not_checked(&unchecked);
            (format!("{name}: certified {}\n{open}", what(verdict)), Exit::Accept)
        }
        Err(error) => (format!("{name}: refused: {error}\n"), Exit::Reject),
    })
}

/// What was certified.
fn what(verdict: &Verdict) -> String {
    match &verdict.answer {
        Answer::Accept { witness } => format!(
            "ACCEPT: the execution explains every read and satisfies {} ({} points)",
            verdict.definition,
            witness.order.len(),
        ),
        Answer::Reject { refutation, .. } => format!("REJECT: {}", refuted(refutation)),
        Answer::Unknown { .. } => "nothing".to_owned(),
    }
}

fn refuted(refutation: &Refutation) -> String {
    if !refutation.cases.is_empty() {
        return format!(
            "each of {} cases rules out every execution, and together the cases are exhaustive",
            refutation.cases.len()
        );
    }
    match (&refutation.bad, refutation.conflicts.len()) {
        (Some(_), _) => "no execution explains the read".to_owned(),
        (None, 1) => "the conflict follows from the trace and rules out every execution".to_owned(),
        (None, 2) => "both conflicts follow from the trace, and together they rule out every \
                      execution"
            .to_owned(),
        (None, count) => format!(
            "all {count} conflicts follow from the trace, and together they rule out every execution"
        ),
    }
}

/// The line that names what no check stands behind; fields of a list are named once.
fn not_checked(unchecked: &[Unchecked]) -> String {
    let mut named: Vec<String> = Vec::new();
    for Unchecked { field, why } in unchecked {
        let field: String = field.chars().filter(|letter| !letter.is_ascii_digit()).collect();
        let told = match why {
            Some(why) => format!("{field} ({why})"),
            None => field,
        };
        if !named.contains(&told) {
            named.push(told);
        }
    }
    if named.is_empty() {
        return String::new();
    }
    format!("  not checked: {}\n", printable(&named.join(", ")))
}
