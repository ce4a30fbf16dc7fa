//! Worlds that have become the same.
//!
//! Two worlds are the same if nobody can tell them apart any more: the transactions that are in and
//! not over are the same, the commits that an open transaction could still read between are
//! the same in the same order, and before them the rows are the same, whatever order led there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::model::Time;
use crate::store::Store;
use crate::world::{Commit, Key, Moments, Row, World};

/// What a transaction left.
type Left = Vec<(Key, Option<Row>)>;

/// What can be told about a world.
#[derive(PartialEq, Eq, Hash)]
struct Look {
    placed: BTreeSet<u32>,
    count: usize,
    rows: BTreeMap<Key, Option<Row>>,
    recent: Vec<(u32, Left)>,
    moments: Moments,
}

/// Keeps the first of worlds that nobody who began at this moment or later can tell apart.
pub(super) fn merge(store: &Store, worlds: &mut Vec<World>, oldest: Time) {
    let mut seen = FxHashSet::default();
    worlds.retain(|world| seen.insert(look(store, world, oldest)));
}

fn look(store: &Store, world: &World, oldest: Time) -> Look {
    let first = store.first_after(world, oldest).saturating_sub(store.position());
    let split = usize::try_from(first).unwrap_or(usize::MAX).min(world.delta.len());
    let (old, recent) = world.delta.split_at(split);
    let mut rows = BTreeMap::new();
    for write in old.iter().flat_map(|commit| &commit.writes) {
        rows.insert(write.key, write.row.clone());
    }
    let left = |commit: &Arc<Commit>| {
        let writes = commit.writes.iter().map(|write| (write.key, write.row.clone())).collect();
        (commit.serial, writes)
    };
    Look {
        placed: world.placed.clone(),
        count: world.delta.len(),
        rows,
        recent: recent.iter().map(left).collect(),
        moments: world.moments.clone(),
    }
}

/// Takes the commits out of all worlds that all of them begin with.
pub(super) fn common(worlds: &mut [World]) -> Vec<Arc<Commit>> {
    let Some((first, rest)) = worlds.split_first() else { return Vec::new() };
    let same = |place: usize, commit: &Arc<Commit>| {
        rest.iter().all(|world| {
            world
                .delta
                .get(place)
                .is_some_and(|other| Arc::ptr_eq(other, commit) || other == commit)
        })
    };
    let count = first.delta.iter().enumerate().take_while(|(place, commit)| same(*place, commit));
    let count = count.count();
    let commits = first.delta[..count].to_vec();
    for world in worlds {
        world.delta.drain(..count);
    }
    commits
}
