//! Whether two transactions may change places without anybody noticing.
//!
//! The quick pass asks what they did in the world at hand: that is cheap and nearly always right. Where
//! everything has to be tried, only two transactions whose reaches do not touch are taken to
//! commute whatever else comes before them ([`apart`]); that they leave the same behind in both orders
//! is good for the world in which it was tried ([`commute`]).

use std::collections::BTreeMap;
use std::rc::Rc;

use super::place::place;
use super::survey::survey;
use crate::explain::{Context, explain};
use crate::level::Level;
use crate::model::Time;
use crate::statement::{Task, Traits, Unsupported};
use crate::world::{Key, Row, World, Write};

/// What a transaction does with rows, found out once.
pub(super) fn traits(
    context: &Context<'_>,
    world: &World,
    task: &Task,
) -> Result<Rc<Traits>, Unsupported> {
    if let Some(known) = &*task.traits.borrow() {
        return Ok(Rc::clone(known));
    }
    let found = Rc::new(survey(context, world, task)?);
    *task.traits.borrow_mut() = Some(Rc::clone(&found));
    Ok(found)
}

/// Whether what one writes is anything that the other looks at or writes.
fn touch(
    context: &Context<'_>,
    world: &World,
    one: &Task,
    other: &Task,
) -> Result<bool, Unsupported> {
    if !one.reach.touches(&other.reach) {
        return Ok(false);
    }
    let (one, other) = (traits(context, world, one)?, traits(context, world, other)?);
    Ok(one.footprint.is_touched(&other.writes)
        || other.footprint.is_touched(&one.writes)
        || one.writes.iter().any(|a| other.writes.iter().any(|b| a.key == b.key)))
}

/// Whether nobody can tell in which order two came, whatever else comes before them.
pub(super) fn apart<'p>(
    context: &Context<'_>,
    one: &Task,
    other: &Task,
    open: impl Iterator<Item = &'p Rc<Task>>,
) -> bool {
    !one.reach.touches(&other.reach) && !may_be_told(context, one, other, open)
}

/// Whether it makes no difference which of two comes first here. Unless it has to be complete, two that
/// have nothing to do with each other commute, whoever may read between them.
pub(super) fn commute<'p>(
    context: &Context<'_>,
    world: &World,
    one: &Task,
    other: &Task,
    open: impl Iterator<Item = &'p Rc<Task>>,
    complete: bool,
) -> Result<bool, Unsupported> {
    if context.effort.full {
        return Ok(!may_be_told(context, one, other, open)
            && (!one.reach.touches(&other.reach) || same(context, world, one, other)?));
    }
    let touch = touch(context, world, one, other)?;
    if !touch && !complete {
        return Ok(true);
    }
    for reader in open {
        if reads_between(context, world, reader, one, other)? {
            return Ok(false);
        }
    }
    Ok(!touch || same(context, world, one, other)?)
}

/// What an open transaction may see of two others, and what it surely does not.
struct Sight {
    sees: [bool; 2],
    misses: [bool; 2],
    begin: Time,
    by: Time,
}

/// Whether somebody may see what one of two wrote and not what the other one wrote: who looks at both, or
/// looks at one and was answered before the other one was committed. Where nobody goes back to an
/// older state, two who came one after the other may find out together.
fn may_be_told<'p>(
    context: &Context<'_>,
    one: &Task,
    other: &Task,
    open: impl Iterator<Item = &'p Rc<Task>>,
) -> bool {
    if context.reads_in_turn() {
        return false;
    }
    let level = context.options.level;
    let sight = |reader: &Rc<Task>| Sight {
        sees: [one, other].map(|task| reader.reach.sees(&task.reach)),
        misses: [one, other]
            .map(|task| is_missed(level, reader, task) || follows(level, reader, task)),
        begin: reader.begin,
        by: reader.snapshot_by(level),
    };
    let tells = |a: &Sight, b: &Sight| {
        a.sees[0] && (b.sees[1] || b.misses[1]) || a.sees[1] && (b.sees[0] || b.misses[0])
    };
    if level == Level::ReadCommitted {
        // Single rows may be of any state, but what is changed is looked for in one.
        let mut open = open.map(|reader| (reader, sight(reader)));
        return context.readers.is_some_and(|readers| readers.see_both(one, other))
            || open.any(|(reader, sight)| {
                let Sight { sees, misses, .. } = sight;
                sees[0] && misses[1]
                    || sees[1] && misses[0]
                    || reader.writers().any(|w| w.sees(&one.reach) && w.sees(&other.reach))
            });
    }
    let sights: Vec<Sight> = open.map(sight).collect();
    let in_turn = level.snapshot_at_start();
    sights.iter().enumerate().any(|(place, a)| {
        sights.iter().enumerate().any(|(other, b)| {
            (place == other || in_turn && (a.by < b.begin || b.by < a.begin)) && tells(a, b)
        })
    }) || context.readers.is_some_and(|readers| readers.see_both(one, other))
}

/// Whether a transaction was committed too late for another one to see it.
fn is_missed(level: Level, reader: &Task, task: &Task) -> bool {
    level.reads_by_time() && task.lo > reader.started && task.reach.may_write()
}

/// Whether a transaction, even one that only reads, reads no older state than another one, because it
/// began when that one had read.
fn follows(level: Level, reader: &Task, task: &Task) -> bool {
    level.snapshot_at_start() && reader.snapshot_by(level) < task.begin
}

/// The same as far as it can be told from what they did.
fn reads_between(
    context: &Context<'_>,
    world: &World,
    reader: &Task,
    one: &Task,
    other: &Task,
) -> Result<bool, Unsupported> {
    let level = context.options.level;
    let sees = [one, other].map(|task| reader.reach.sees(&task.reach));
    let missed = [one, other].map(|task| is_missed(level, reader, task));
    if !(sees[0] && (sees[1] || missed[1]) || sees[1] && missed[0]) {
        return Ok(false);
    }
    let seen = traits(context, world, reader)?;
    if level.is_serial() && reader.surely_writes && !seen.writes.is_empty() {
        return Ok(false);
    }
    let (a, b) = (traits(context, world, one)?, traits(context, world, other)?);
    let sees = [a, b].map(|traits| seen.footprint.is_touched(&traits.writes));
    Ok(sees[0] && (sees[1] || missed[1]) || sees[1] && missed[0])
}

/// Whether two transactions leave the same behind in both orders.
fn same(
    context: &Context<'_>,
    world: &World,
    one: &Task,
    other: &Task,
) -> Result<bool, Unsupported> {
    let Some(forward) = both(context, world, one, other)? else { return Ok(false) };
    Ok(both(context, world, other, one)?.is_some_and(|backward| forward == backward))
}

/// What two transactions leave behind, one after the other. Returns `None` if that is not explained, or
/// in several ways.
fn both(
    context: &Context<'_>,
    world: &World,
    first: &Task,
    second: &Task,
) -> Result<Option<BTreeMap<Key, Option<Row>>>, Unsupported> {
    let Some(way) = only(explain(context, world, first)?) else { return Ok(None) };
    let mut left: BTreeMap<Key, Option<Row>> = BTreeMap::new();
    let note = |writes: &[Write], left: &mut BTreeMap<Key, Option<Row>>| {
        left.extend(writes.iter().map(|write| (write.key, write.row.clone())));
    };
    note(&way.writes, &mut left);
    let world = place(context, world, first, way);
    let Some(way) = only(explain(context, &world, second)?) else { return Ok(None) };
    note(&way.writes, &mut left);
    Ok(Some(left))
}

fn only<T>(mut ways: Vec<T>) -> Option<T> {
    if ways.len() == 1 { ways.pop() } else { None }
}
