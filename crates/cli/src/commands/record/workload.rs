//! What clients do, from the command line.

use std::path::Path;
use std::time::Duration;

use tristan_generate::{Part, Pattern, Values, Workload};
use tristan_record::{Database, Offers, templates};

use crate::args::WorkloadArgs;
use crate::exit::{CommandError, Exit};
use crate::input;

/// A workload, and how its clients go about it.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) name: String,
    pub(crate) workload: Workload,
    pub(crate) think: Duration,
    pub(crate) duration: Option<Duration>,
}

impl Plan {
    /// The workload that was asked for.
    pub(crate) fn of(args: &WorkloadArgs) -> Result<Self, CommandError> {
        let usual = named(&args.workload)?;
        let sessions = args.sessions.map_or(usual.sessions, usize::from);
        let endless = args.duration.is_some() && args.txns.is_none();
        let txns = args.txns.map_or(usual.txns, |txns| txns as usize);
        let workload = Workload {
            txns: if endless { usize::MAX } else { txns },
            sessions,
            at_once: sessions,
            ops: args.ops.map_or(usual.ops, |ops| ops as usize),
            keys: args.keys.unwrap_or(usual.keys),
            skew: args.hot.unwrap_or(usual.skew),
            values: args.values.unwrap_or(usual.values),
            seed: args.seed.unwrap_or(usual.seed),
            ..usual
        };
        Ok(Self {
            name: args.workload.clone(),
            workload,
            think: args.think.unwrap_or_default(),
            duration: args.duration,
        })
    }

    /// Whether no value is written twice to a key.
    pub(crate) fn has_unique_values(&self) -> bool {
        let adds = match &self.workload.pattern {
            Pattern::Bank => true,
            Pattern::Templates(templates) => {
                let mut parts = templates.iter().flat_map(|template| &template.parts);
                parts.any(|part| matches!(part, Part::Add(..)))
            }
            _ => false,
        };
        self.workload.values == Values::Unique && !adds
    }
}

/// A workload by its name, or from a file.
pub(crate) fn named(name: &str) -> Result<Workload, CommandError> {
    if let Some(workload) = Workload::named(name) {
        return Ok(workload);
    }
    if !name.ends_with(".toml") {
        let known: Vec<&str> = Workload::names().collect();
        let known = known.join(", ");
        let message = format!("found workload \"{name}\", expected a .toml file or one of {known}");
        return Err(CommandError::new(Exit::Usage, message));
    }
    let text = input::text(Path::new(name))?;
    templates::parse(&text)
        .map_err(|error| CommandError::new(Exit::BadInput, format!("{name}: {error}")))
}

/// Whether a database can do all that a workload asks.
pub(crate) fn fits(workload: &Workload, offers: Offers) -> bool {
    missing(workload, offers).is_none()
}

/// Makes sure of it.
pub(super) fn supported(workload: &Workload, database: &dyn Database) -> Result<(), CommandError> {
    missing(workload, database.offers()).map_or(Ok(()), |what| {
        let message =
            format!("{} does not support {what}, which the workload needs", database.describe());
        Err(CommandError::new(Exit::Usage, message))
    })
}

fn missing(workload: &Workload, offers: Offers) -> Option<&'static str> {
    let needs = needs(&workload.pattern);
    [
        (needs.deletes && !offers.deletes, "deletes"),
        (needs.ranges && !offers.ranges, "range reads"),
        (needs.lists && !offers.lists, "lists"),
    ]
    .into_iter()
    .find_map(|(missing, what)| missing.then_some(what))
}

fn needs(pattern: &Pattern) -> Offers {
    match pattern {
        Pattern::Mixed(mix) => Offers {
            deletes: mix.delete > 0,
            ranges: mix.scan + mix.iterate > 0,
            ..Offers::default()
        },
        Pattern::Lists { .. } => Offers { lists: true, ..Offers::default() },
        Pattern::Templates(templates) => {
            let parts = || templates.iter().flat_map(|template| &template.parts);
            Offers {
                deletes: parts().any(|part| matches!(part, Part::Delete(_))),
                ranges: parts().any(|part| {
                    matches!(part, Part::ScanEverything | Part::Scan(..) | Part::Iterate(..))
                }),
                lists: parts().any(|part| matches!(part, Part::Append(_) | Part::ReadList(_))),
                locks: false,
            }
        }
        _ => Offers::default(),
    }
}
