//! `tristan levels`: every level in one run, with the frontier between holding and violated.

use tristan_history::History;
use tristan_report::levels::{Cell, Row, Table};
use tristan_report::{Style, paragraph};
use tristan_spec::lattice::Lattice;
use tristan_spec::{Catalog, Level, Strength};
use tristan_verdict::{Answer, UnknownReason, Verdict};

use super::{claim, reading, solve};
use crate::args::{ReadingArgs, SinkArgs, SolveArgs, TraceArgs};
use crate::exit::{CommandError, Exit};
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
) -> Result<Exit, CommandError> {
    let (inputs, _) = solve::inputs(input)?;
    let mut sinks = Sinks::open(sinks, true)?;
    let all = All { input, solve: args };
    let exit = solve::each(inputs, |source| {
        let levels = Catalog::default().levels();
        sinks.on_overrun(levels.clone(), source.name());
        match source.read(input.from, input.initial.as_ref()) {
            Ok(history) => all.show(source, &history, &mut sinks, out),
            Err(failure) => unread(failure, &levels, source, &mut sinks, out),
        }
    });
    sinks.finish(out)?;
    Ok(exit)
}

/// Every level, asked about one trace after the other.
pub(super) struct All<'a> {
    pub(super) input: &'a TraceArgs,
    pub(super) solve: &'a SolveArgs,
}

impl All<'_> {
    /// Judges a trace and shows the table. No promise was asked about, so a violated level is no
    /// failure; one that is not decided makes the ending unknown.
    pub(super) fn show(
        &self,
        source: &Source,
        history: &History,
        sinks: &mut Sinks,
        out: &mut Output,
    ) -> Result<Exit, CommandError> {
        let Self { input, solve: args } = *self;
        let catalog = Catalog::default();
        let levels = catalog.levels();
        sinks.on_overrun(levels.clone(), source.name());
        solve::drift(args.clock_drift, history, source)?;
        let progress = Progress::new(args.progress, &source.name());
        let options = solve::options(args, input, source);
        let mut reports = tristan_check::check_levels(history, &levels, &options, &progress);
        drop(progress);
        for (level, report) in levels.iter().zip(&reports) {
            solve::tell_stats(args, &level.name, report);
        }
        solve::certify(args, &options, history, &levels, &mut reports)?;
        let mut verdicts: Vec<Verdict> = reports.into_iter().map(|report| report.verdict).collect();
        for verdict in &mut verdicts {
            let command = reading::command(input, &input.reading, args, source, &verdict.level);
            verdict.context.command = Some(command);
        }
        let title = format!("{}{}", source.name(), reading::title(&input.reading));
        let open = verdicts.iter().any(|verdict| Exit::of(verdict) == Exit::Unknown);
        sinks.page(out, verdicts, |style, verdicts| {
            let judged = Judged { catalog: &catalog, levels: &levels, verdicts };
            judged.page(style, &title, &claimed(&judged, history, &input.reading))
        })?;
        Ok(solve::policy(args, if open { Exit::Unknown } else { Exit::Accept }))
    }
}

/// Says that every level is unknown, if a limit kept the trace from being read.
fn unread(
    failure: CommandError,
    levels: &[Level],
    source: &Source,
    sinks: &mut Sinks,
    out: &mut Output,
) -> Result<Exit, CommandError> {
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
        let mut text = format!("{title}\n");
        if let Some(why) = self.nothing_to_judge() {
            let line = format!("nothing to judge: {why}; every level holds trivially");
            paragraph(&mut text, style, "  ", &line);
            self.gaps(&mut text, style);
            return text;
        }
        self.gaps(&mut text, style);
        let table = self.table(Lattice::library());
        text.push_str(&tristan_report::levels::table(&table, style));
        paragraph(&mut text, style, "  ", claim);
        let violated = table.weakest_violated.first().and_then(|name| self.verdict_of(name));
        if let Some(verdict) = violated {
            self.reason(&mut text, style, verdict);
        }
        text
    }

    /// Why no level can be judged, if that is so.
    fn nothing_to_judge(&self) -> Option<&str> {
        self.verdicts.iter().find_map(|verdict| match &verdict.answer {
            Answer::Unknown { reason: UnknownReason::NothingToJudge { why }, .. } => {
                Some(why.as_str())
            }
            _ => None,
        })
    }

    /// What is missing from the trace.
    fn gaps(&self, text: &mut String, style: Style) {
        let covered = self.verdicts.iter().find_map(|verdict| {
            let coverage = verdict.context.coverage.as_ref()?;
            Some((&coverage.gaps, verdict.trace.operations))
        });
        if let Some((gaps, operations)) = covered {
            let lines = tristan_report::coverage::gaps(gaps, operations);
            lines.iter().for_each(|line| paragraph(text, style, "  ", line));
        }
    }

    /// Why a level is violated, in one sentence: no promise was asked about, so this is no verdict.
    fn reason(&self, text: &mut String, style: Style, verdict: &Verdict) {
        let Answer::Reject { anomaly, .. } = &verdict.answer else { return };
        let title = anomaly.title.as_ref().map_or(String::new(), |title| format!(" ({title})"));
        let level = &verdict.level;
        let line = format!(
            "why {level} is violated: {}{title}: {}",
            anomaly.class,
            printable(&anomaly.sentence)
        );
        paragraph(text, style, "  ", &line);
        if let Some(command) = &verdict.context.command {
            paragraph(text, style, "  ", &format!("more: {command}"));
        }
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
fn claimed(judged: &Judged<'_>, history: &History, reading: &ReadingArgs) -> String {
    let claim = match claim::claim(history) {
        Ok(None) => {
            return "claimed: none; use tristan check --level NAME to check one level".to_owned();
        }
        Err(failure) => return format!("claimed: {:#}", failure.error),
        Ok(Some(claim)) => claim,
    };
    let name = printable(&claim.asked.name);
    let level = judged.catalog.find(&claim.level).ok();
    let verdict = level.and_then(|level| judged.verdict_of(&level.name));
    match (verdict.map(Exit::of), claim.asked.because) {
        // The table is about other semantics.
        (_, Some(because)) if claim.semantics.is_some_and(|it| reading.semantics != Some(it)) => {
            format!("claimed: {name}; tristan check uses it: {because}")
        }
        (Some(Exit::Accept), why) => format!("claimed: {name}, which holds{}", aside(why)),
        (Some(Exit::Reject), why) => format!("claimed: {name}, which is violated{}", aside(why)),
        (Some(_), why) => format!("claimed: {name}, which is not decided{}", aside(why)),
        (None, _) => format!("claimed: {name}; tristan check uses it"),
    }
}

fn aside(why: Option<String>) -> String {
    why.map_or(String::new(), |why| format!(" ({why})"))
}
