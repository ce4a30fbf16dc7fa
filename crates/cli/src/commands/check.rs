//! `tristan check`: one level, a verdict per trace.

use std::slice;

use tristan_check::emit;
use tristan_report::Hints;
use tristan_spec::{Catalog, Level};
use tristan_verdict::{Answer, Verdict};

use super::{levels, reading, solve};
use crate::args::{CheckArgs, EmitForm};
use crate::exit::{Exit, Failure, OrExit};
use crate::input::Source;
use crate::output::Output;
use crate::progress::Progress;
use crate::sinks::Sinks;

pub(super) fn run(args: CheckArgs, out: &mut Output) -> Result<Exit, Failure> {
    let Some(name) = &args.level else {
        return levels::run(&args.input, &args.solve, &args.sinks, out);
    };
    let level = Catalog::default().find(name).or_exit(Exit::Usage)?;
    let (inputs, many) = solve::inputs(&args.input)?;
    if let Some(form) = args.emit {
        return Ok(solve::each(inputs, |source| print(&args, &level, form, source, out)));
    }
    let mut sinks = Sinks::open(&args.sinks, many)?;
    Ok(solve::each(inputs, |source| {
        let verdict = judge(&args, &level, source)?;
        sinks.verdict(out, &verdict, &hints(&args, &verdict, source, &sinks))?;
        Ok(solve::policy(&args.solve, Exit::of(&verdict)))
    }))
}

fn judge(args: &CheckArgs, level: &Level, source: &Source) -> Result<Verdict, Failure> {
    let progress = Progress::new(args.solve.progress, &source.name());
    let history = source.read(args.input.from, args.input.initial.as_ref())?;
    solve::promised(level, &history, source)?;
    let options = solve::options(&args.solve, &args.input, source);
    let report = tristan_check::check(&history, level, &options, &progress);
    drop(progress);
    solve::tell_stats(&args.solve, &level.name, &report);
    let (levels, reports) = (slice::from_ref(level), slice::from_ref(&report));
    solve::certify(&args.solve, &options, &history, levels, reports)?;
    Ok(report.verdict)
}

/// How to learn more about a rejection.
fn hints(args: &CheckArgs, verdict: &Verdict, source: &Source, sinks: &Sinks) -> Hints {
    let trace = source.argument();
    let initial = reading::initial_flag(args.input.initial.as_ref());
    let flags = reading::flags(&args.input.reading);
    let keep = match sinks.json_file() {
        Some(file) => format!("tristan certify {file} {trace}{initial}"),
        None => "-o json=FILE keeps the evidence".to_owned(),
    };
    let more = matches!(verdict.answer, Answer::Reject { .. })
        .then(|| format!("tristan levels {trace}{initial}{flags}; {keep}"));
    Hints { more, ..Hints::default() }
}

fn print(
    args: &CheckArgs,
    level: &Level,
    form: EmitForm,
    source: &Source,
    out: &mut Output,
) -> Result<Exit, Failure> {
    let history = source.read(args.input.from, args.input.initial.as_ref())?;
    solve::promised(level, &history, source)?;
    let options = solve::options(&args.solve, &args.input, source);
    let text = match form {
        EmitForm::Ir => emit::ir(&history, level, &options),
        EmitForm::Smt2 => emit::smt2(&history, level, &options),
    };
    out.write(&text.or_exit(Exit::BadInput)?)?;
    Ok(Exit::Accept)
}
