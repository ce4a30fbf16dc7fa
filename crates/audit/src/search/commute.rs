//! Whether two transactions may change places without anybody noticing.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::explore::place;
use super::survey::survey;
use crate::explain::{Context, explain};
use crate::machine::{Row, Unsupported};
use crate::store::{Key, World, Write};
use crate::task::{Task, Traits};

/// What a transaction does with rows. It is found out once; where everything has to be exact, once in
/// every world.
pub(super) fn traits(
    context: &Context<'_>,
    world: &World,
    task: &Task,
) -> Result<Rc<Traits>, Unsupported> {
    if let Some((found_in, known)) = &*task.traits.borrow()
        && (!context.effort.full || *found_in == world.name)
    {
        return Ok(Rc::clone(known));
    }
    let found = Rc::new(survey(context, world, task)?);
    *task.traits.borrow_mut() = Some((world.name, Rc::clone(&found)));
    Ok(found)
}

/// Whether what one writes is anything that the other looks at or writes.
pub(super) fn touch(one: &Traits, other: &Traits) -> bool {
    one.footprint.is_touched(&other.writes)
        || other.footprint.is_touched(&one.writes)
        || one.writes.iter().any(|a| other.writes.iter().any(|b| a.key == b.key))
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
    let (a, b) = (traits(context, world, one)?, traits(context, world, other)?);
    let touch = touch(&a, &b);
    if !touch && !complete {
        return Ok(true);
    }
    for reader in open {
        if reads_between(context, world, reader, [(one, &a), (other, &b)])? {
            return Ok(false);
        }
    }
    if !touch {
        return Ok(true);
    }
    match (both(context, world, one, other)?, both(context, world, other, one)?) {
        (Some(forward), Some(backward)) => Ok(forward == backward),
        _ => Ok(false),
    }
}

/// Whether an open transaction may see what one of two wrote and not what the other one wrote: because it
/// looks at both, or because it looks at one and was answered before the other one was committed.
fn reads_between(
    context: &Context<'_>,
    world: &World,
    reader: &Task,
    writers: [(&Task, &Traits); 2],
) -> Result<bool, Unsupported> {
    let level = context.options.level;
    let seen = traits(context, world, reader)?;
    if level.is_serial() && reader.surely_writes && !seen.writes.is_empty() {
        return Ok(false);
    }
    let [first, second] = writers.map(|(task, traits)| {
        let missed = level.reads_by_time() && task.lo > reader.started && !traits.writes.is_empty();
        (seen.footprint.is_touched(&traits.writes), missed)
    });
    Ok(first.0 && (second.0 || second.1) || second.0 && first.1)
}

/// What two transactions leave behind, one after the other; nothing if that is not explained.
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
