//! `tristan lattice`: every pair of levels compared, as a table and as a picture.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};
use tristan_ground::{Limits, Threads};
use tristan_report::Style;
use tristan_report::lattice::{self, Implication as Told, Lattice};
use tristan_spec::iso::IsoLevel;
use tristan_synth::gates::SearchLimits;
use tristan_synth::{ComparisonPlan, Implication};

use super::written::{self, counted};
use crate::args::LatticeArgs;
use crate::destinations::Destinations;
use crate::exit::{CommandError, Exit};
use crate::kinds::{Kind, LatticeKind};
use crate::limits;
use crate::output::Output;
use crate::progress::Polled;

/// The levels that are compared if the command line names none: those of the literature that are compared
/// most often, with sessions.
const USUAL: [&str; 10] = [
    "strong-session-read-committed",
    "read-atomic",
    "cerone-nlu",
    "update-atomic",
    "causal",
    "parallel-si",
    "prefix",
    "strong-session-snapshot-isolation",
    "be-update-ser",
    "strong-session-serializable",
];

pub(super) fn run(args: &LatticeArgs, out: &mut Output) -> Result<Exit, CommandError> {
    let library = written::library(&args.files)?;
    let names: Vec<&str> = match args.levels.is_empty() {
        true => USUAL.to_vec(),
        false => args.levels.iter().map(String::as_str).collect(),
    };
    let levels: Vec<IsoLevel> =
        names.iter().map(|name| written::level(&library, name)).collect::<Result<_, _>>()?;
    let mut destinations = Destinations::open(&args.output)?;
    limits::on_overrun_of("lattice", destinations.forms());
    let lattice = compared(args, &levels);
    for &(_, kind) in LatticeKind::ALL {
        destinations.write(out, kind, |style| rendered(&lattice, kind, style))?;
    }
    let undecided = |told: &Told| matches!(told, Told::Open { .. } | Told::NoneFound { .. });
    let open = lattice.rows.iter().flatten().any(undecided);
    Ok(if open { Exit::Unknown } else { Exit::Accept })
}

/// All pairs, by as many threads as are wanted; who does what does not matter to the answers.
fn compared(args: &LatticeArgs, levels: &[IsoLevel]) -> Lattice {
    let all = limits::budget().within(&Limits::default());
    all.enter("pairs");
    let plan = ComparisonPlan {
        scope: written::scope(&args.scope),
        options: written::options(&args.scope),
        limits: SearchLimits { within: all.clone(), ..SearchLimits::default() },
        prove: true,
    };
    let about = ("levels", counted(levels.len() as u64, "level"));
    let pairs = all.clone();
    let _progress =
        Polled::start(args.scope.progress, about, move || pairs.own_place().unwrap_or_default());
    let done = AtomicU64::new(0);
    let scope = written::scope_text(&args.scope);
    let count = levels.len();
    let total = (count * count) as u64;
    let implies = |pair: usize| {
        let told = match (pair / count, pair % count) {
            (one, other) if one == other => Told::Proved,
            (one, other) => told(plan.implies(&levels[one], &levels[other]), &scope),
        };
        all.progress(done.fetch_add(1, Ordering::Relaxed) + 1, total);
        told
    };
    let told = Threads::new(args.threads).run((0..count * count).collect(), implies);
    Lattice {
        names: levels.iter().map(|level| level.name.clone()).collect(),
        rows: told.chunks(count.max(1)).map(<[Told]>::to_vec).collect(),
    }
}

fn told(implication: Implication, scope: &str) -> Told {
    match implication {
        Implication::Proved(_) => Told::Proved,
        Implication::NoneFound => Told::NoneFound { scope: scope.to_owned() },
        Implication::Refuted(answer) => Told::Refuted {
            txns: answer.history.txns.len(),
            keys: answer.history.keys.len(),
            history: answer.history.to_string(),
        },
        Implication::Unknown(reason) => Told::Open { reason: reason.to_string() },
    }
}

fn rendered(lattice: &Lattice, kind: LatticeKind, style: Style) -> String {
    match kind {
        LatticeKind::Text => {
            format!("{}\n{}", lattice::table(lattice), lattice::text(lattice, style))
        }
        LatticeKind::Json => format!("{:#}\n", as_json(lattice)),
        LatticeKind::Dot => lattice::dot(lattice),
        LatticeKind::Svg => lattice::svg(lattice),
        LatticeKind::Html => lattice::html(lattice),
    }
}

fn as_json(lattice: &Lattice) -> Value {
    let pair = |from: &str, to: &str, told: &Told| match told {
        Told::Proved => json!({ "from": from, "to": to, "answer": "proved" }),
        Told::NoneFound { scope } => {
            json!({ "from": from, "to": to, "answer": "none-found", "scope": scope })
        }
        Told::Refuted { txns, keys, history } => json!({
            "from": from, "to": to, "answer": "refuted",
            "txns": txns, "keys": keys, "history": history,
        }),
        Told::Open { reason } => {
            json!({ "from": from, "to": to, "answer": "unknown", "reason": reason })
        }
    };
    let names = &lattice.names;
    let pairs = lattice.rows.iter().zip(names).flat_map(|(row, from)| {
        let others = row.iter().zip(names).filter(move |(_, to)| *to != from);
        others.map(move |(told, to)| pair(from, to, told))
    });
    json!({ "tristan": "lattice/1", "levels": names, "implications": pairs.collect::<Vec<_>>() })
}
