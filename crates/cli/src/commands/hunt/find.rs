//! A broken promise, kept so that others can look at it.

use std::fs;
use std::path::Path;

use anyhow::Context;
use tristan_check::Options;
use tristan_check::budget::Limits;
use tristan_check::shrink::{Shrunk, shrink};
use tristan_history::History;
use tristan_report::{ReportContext, Style};
use tristan_verdict::Verdict;

use super::{Hunt, Round};
use crate::commands::reading;
use crate::commands::record::quoted;
use crate::exit::{CommandError, Exit, OrExit};
use crate::limits;

/// What was found, in words.
pub(super) struct Find {
    pub(super) told: String,
}

impl Find {
    /// Keeps the trace, its core, the verdict, and how to do it again.
    pub(super) fn keep(
        hunt: &Hunt<'_>,
        round: &Round,
        folder: &Path,
        history: &History,
        options: &Options,
        verdict: Verdict,
    ) -> Result<Self, CommandError> {
        limits::finishing();
        let core = folder.join("core.jsonl");
        let options = &Options { limits: hunt.limits(), ..options.clone() };
        let left = Limits { time: Some(hunt.left()), memory: None };
        let shrunk = shrink(history, &hunt.claim, options, &verdict, &left);
        if let Some(shrunk) = &shrunk {
            certify(hunt, history, options, shrunk)?;
        }
        let mut kept = String::from("trace.jsonl");
        save(folder, "verdict.json", tristan_report::json(&verdict).as_bytes())?;
        let (shown, check) = match shrunk {
            Some(shrunk) => {
                save(folder, "core.jsonl", tristan_formats::compact(&shrunk.history).as_bytes())?;
                kept += ", core.jsonl";
                let mut shown = shrunk.verdict;
                shown.trace.name = core.display().to_string();
                // What the flags say has been done to it already.
                (shown, quoted(&core))
            }
            None => {
                let flags = reading::flags(&hunt.args.reading);
                (verdict, quoted(&folder.join("trace.jsonl")) + &flags)
            }
        };
        let text = tristan_report::text(&shown, &ReportContext::default(), Style::default());
        save(folder, "verdict.txt", text.as_bytes())?;
        let rerun = rerun(hunt, round, &check);
        save(folder, "rerun.txt", rerun.as_bytes())?;
        kept += ", verdict.json, verdict.txt, rerun.txt";
        let place = folder.display();
        let told = format!(
            "found in {}:\n{text}  kept in {place}: {kept}\n  again: {}",
            round.told(),
            rerun.replace('\n', "\n         ").trim_end(),
        );
        Ok(Self { told: told + "\n" })
    }
}

/// The reasons that are kept hold for the whole trace, or one of us is wrong.
fn certify(
    hunt: &Hunt<'_>,
    history: &History,
    options: &Options,
    shrunk: &Shrunk,
) -> Result<(), CommandError> {
    let history = options.interpretation.apply(history);
    let done = tristan_certify::certify(&history, &hunt.claim, options.drift, &shrunk.whole);
    done.map(drop).map_err(|error| {
        let message = format!("the certifier rejected the refutation of the whole trace: {error}");
        CommandError::new(Exit::Bug, message)
    })
}

/// The commands that check what was kept, and record the same once more.
fn rerun(hunt: &Hunt<'_>, round: &Round, check: &str) -> String {
    let claim = &hunt.claim.name;
    let (url, level) = (&hunt.args.url, hunt.target.level.name);
    format!(
        "tristan check {check} --level {claim}\n\
         tristan record '{url}' --level {level} {} -o again.jsonl\n",
        round.flags(),
    )
}

fn save(folder: &Path, name: &str, content: &[u8]) -> Result<(), CommandError> {
    let path = folder.join(name);
    fs::write(&path, content).with_context(|| path.display().to_string()).or_unwritten()
}
