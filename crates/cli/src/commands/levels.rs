//! `tristan levels`: every level in one run, with the frontier between holding and violated.

use tristan_history::History;
use tristan_report::levels::{Cell, Row, Table};
use tristan_report::{Hints, Style};
use tristan_spec::lattice::Lattice;
use tristan_spec::{Catalog, Level, Strength};
use tristan_verdict::{Answer, Verdict};

use super::{reading, solve};
use crate::args::{SinkArgs, SolveArgs, TraceArgs};
use crate::exit::{Exit, Failure};
use crate::input::Source;
use crate::limits;
use crate::output::{Output, printable};
use crate::progress::Progress;
use crate::sinks::Sinks;

pub(super) fn run(
    input: &TraceArgs,
    args: &SolveArgs,
    sinks: &SinkArgs,
    out: &mut Output,
) -> Result<Exit, Failure> {
    let (inputs, _) = solve::inputs(input)?;
    let mut sinks = Sinks::open(sinks, true)?;
    let catalog = Catalog::default();
    let levels = catalog.levels();
    let exit = solve::each(inputs, |source| {
        let progress = Progress::new(args.progress, &source.name());
        sinks.on_overrun(levels.clone(), source.name());
        let history = match source.read(input.from, input.initial.as_ref()) {
            Ok(history) => history,
            Err(failure) => return unread(failure, &levels, source, &mut sinks, out),
        };
        solve::drift(args.clock_drift, &history, source)?;
        let options = solve::options(args, input, source);
        let mut reports = tristan_check::check_levels(&history, &levels, &options, &progress);
        drop(progress);
        for (level, report) in levels.iter().zip(&reports) {
            solve::tell_stats(args, &level.name, report);
        }
        solve::certify(args, &options, &history, &levels, &mut reports)?;
        let mut verdicts: Vec<Verdict> = reports.into_iter().map(|report| report.verdict).collect();
        for verdict in &mut verdicts {
            verdict.context.command = Some(reading::command(input, args, source, &verdict.level));
        }
        let title = format!("{}{}", source.name(), reading::title(&input.reading));
        // No promise was asked about, so a violated level is no failure.
        let open = verdicts.iter().any(|verdict| Exit::of(verdict) == Exit::Unknown);
        sinks.page(out, verdicts, |style, verdicts| {
            let judged = Judged { catalog: &catalog, levels: &levels, verdicts };
            judged.page(style, &title, &claim(&judged, &history))
        })?;
        Ok(solve::policy(args, if open { Exit::Unknown } else { Exit::Accept }))
    });
    sinks.finish(out)?;
    Ok(exit)
}

/// Says that every level is unknown, if a limit kept the trace from being read.
fn unread(
    failure: Failure,
    levels: &[Level],
    source: &Source,
    sinks: &mut Sinks,
    out: &mut Output,
) -> Result<Exit, Failure> {
    let Some(stopped) = limits::behind(&failure) else { return Err(failure) };
    let name = source.name();
    let verdicts = levels.iter().map(|level| limits::unknown(level, &name, &stopped)).collect();
    sinks.page(out, verdicts, |_, _| format!("{name}   UNKNOWN   {}\n", limits::told(&stopped)))?;
    Ok(Exit::Unknown)
}

/// All levels with their verdicts.
struct Judged<'a> {
    catalog: &'a Catalog,
    levels: &'a [Level],
    verdicts: &'a [Verdict],
}

impl Judged<'_> {
    fn page(&self, style: Style, title: &str, claim: &str) -> String {
        let table = self.table(&Lattice::default());
        let mut text = format!("{title}\n{}", tristan_report::levels::table(&table, style));
        text.push_str(claim);
        let reason = table.weakest_violated.first().and_then(|name| self.verdict_of(name));
        if let Some(verdict) = reason {
            text.push('\n');
            text.push_str(&tristan_report::text(verdict, &Hints::default(), style));
        }
        text
    }

    fn verdict_of(&self, name: &str) -> Option<&Verdict> {
        self.verdicts.iter().find(|verdict| verdict.level == name)
    }

    fn table(&self, lattice: &Lattice) -> Table {
        let strongest_satisfied = self.frontier(Exit::Accept, |one, other| {
            lattice.implies(other, one) && !lattice.implies(one, other)
        });
        let weakest_violated = self.frontier(Exit::Reject, |one, other| {
            lattice.implies(one, other) && !lattice.implies(other, one)
        });
        let marked =
            |name: &String| strongest_satisfied.contains(name) || weakest_violated.contains(name);
        let rows = self.catalog.families().iter().map(|family| {
            let cells = family.strengths().iter().map(|&strength| {
                let name = family.name_at(strength);
                (self.verdict_of(&name).map_or(Cell::Missing, cell), marked(&name))
            });
            Row { family: family.name.to_string(), cells: cells.collect() }
        });
        let rows = rows.collect();
        let columns = Strength::ALL.map(|strength| strength.prefix().trim_end_matches('-').into());
        Table { columns: columns.to_vec(), rows, strongest_satisfied, weakest_violated }
    }

    /// The levels with this ending that no other such level makes superfluous.
    fn frontier(&self, ending: Exit, beyond: impl Fn(&str, &str) -> bool) -> Vec<String> {
        let zipped = self.levels.iter().zip(self.verdicts);
        let names: Vec<&str> = zipped
            .filter(|(_, verdict)| Exit::of(verdict) == ending)
            .map(|(level, _)| level.name.as_str())
            .collect();
        let on_it = |one: &&&str| !names.iter().any(|other| beyond(one, other));
        names.iter().filter(on_it).map(|name| (*name).to_owned()).collect()
    }
}

fn cell(verdict: &Verdict) -> Cell {
    match &verdict.answer {
        Answer::Accept { .. } => Cell::Holds,
        Answer::Reject { anomaly, .. } => Cell::Violated(anomaly.class.clone()),
        Answer::Unknown { .. } => Cell::Unknown,
    }
}

/// A line about the level that the trace says its database promised.
fn claim(judged: &Judged<'_>, history: &History) -> String {
    let Some(claimed) = &history.header.level else { return String::new() };
    let level = judged.catalog.find(claimed).ok();
    let claimed = printable(claimed);
    let verdict = level.and_then(|level| judged.verdict_of(&level.name));
    match verdict.map(Exit::of) {
        Some(Exit::Accept) => format!("  claimed: {claimed}, which holds\n"),
        Some(Exit::Reject) => format!("  claimed: {claimed}, which is violated\n"),
        Some(_) => format!("  claimed: {claimed}, which is not decided\n"),
        None => String::new(),
    }
}
