//! The levels, one file per framework. Each file answers for one explained history: which of
//! the open questions does some witness of its kind settle?

pub(crate) mod begin_commit;
pub(crate) mod commit_order;
pub(crate) mod dirty;
pub(crate) mod mixed;
#[cfg(test)]
mod normal_forms;
pub(crate) mod phenomena;

use tristan_spec::{Level, Strength};

use crate::{reading::Scene, relations::Rel};
use commit_order::Visibility;
use phenomena::Proscribed;

/// What a level asks for, by the kind of witness that can show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    /// A version order without G0; dirty reads are fine.
    Dirty,
    /// A version order without the phenomena.
    Phenomena(Proscribed),
    /// Sources and a version order without a cycle in the mixed serialization graph.
    Mixed,
    /// A total commit order under which every read returns the latest visible version.
    CommitOrder(Visibility),
}

/// A level waiting for a witness.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    /// Its place among the levels asked for.
    pub place: usize,
    /// What it demands.
    pub demand: Demand,
    /// What counts as base order besides reads.
    pub strength: Strength,
}

impl Question {
    /// The question a level asks; `None` if the oracle does not know the level.
    pub(crate) fn of(place: usize, level: &Level) -> Option<Self> {
        let strength = level.strength.unwrap_or(Strength::Plain);
        demand(&level.family).map(|demand| Self { place, demand, strength })
    }
}

fn demand(family: &str) -> Option<Demand> {
    let demand = match family {
        "read-uncommitted" => Demand::Dirty,
        "mixed" => Demand::Mixed,
        "read-committed" => Demand::Phenomena(Proscribed::Circularity),
        "cursor-stability" => Demand::Phenomena(Proscribed::Cursor),
        "monotonic-atomic-view" => Demand::Phenomena(Proscribed::Vanishing),
        "consistent-view" => Demand::Phenomena(Proscribed::Single),
        "forward-consistent-view" => Demand::Phenomena(Proscribed::SingleWithStart),
        "update-serializable" => Demand::Phenomena(Proscribed::Update),
        "repeatable-read" => Demand::Phenomena(Proscribed::Item),
        "generalized-snapshot-isolation" => Demand::Phenomena(Proscribed::ClockSnapshot),
        "read-atomic" => Demand::CommitOrder(Visibility::Direct),
        "update-atomic" => Demand::CommitOrder(Visibility::DirectNoConflict),
        "causal" => Demand::CommitOrder(Visibility::Transitive),
        "parallel-si" => Demand::CommitOrder(Visibility::TransitiveNoConflict),
        "prefix" => Demand::CommitOrder(Visibility::Prefix),
        "snapshot-isolation" => Demand::CommitOrder(Visibility::PrefixNoConflict),
        "serializable" => Demand::CommitOrder(Visibility::Total),
        "read-your-writes" => Demand::CommitOrder(Visibility::ReadYourWrites),
        "monotonic-reads" => Demand::CommitOrder(Visibility::MonotonicReads),
        "monotonic-writes" => Demand::CommitOrder(Visibility::MonotonicWrites),
        "writes-follow-reads" => Demand::CommitOrder(Visibility::WritesFollowReads),
        _ => return None,
    };
    Some(demand)
}

/// The orders that count at a strength.
pub(crate) fn orders(scene: &Scene, strength: Strength) -> Rel {
    match strength {
        Strength::Plain => Rel::default(),
        Strength::Session => scene.so,
        Strength::Strong => scene.so.or(scene.rt),
    }
}
