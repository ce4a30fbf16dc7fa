//! Whether two transactions may change places without anybody noticing.
//!
//! The quick passes ask what the two did in the world at hand: that is cheap and nearly always right, and
//! nothing is rejected because of it. Where everything has to be tried, two questions are asked instead:
//! [`apart`], which holds whatever comes before the two, and [`commute`], which holds in one world.
//! Both have to be answered so that the following is true. What an explanation is, and the names of its
//! conditions, are given in [`crate::search`].
//!
//! # The exchange lemma
//!
//! Let `T` be the transaction whose deadline has come. A world is given, and a transaction is *open* if
//! it began by `hi(T)` and is not in that world. `X` and `Y` are open, and may take effect by `hi(T)`.
//! Since deadlines are handled in order, for every open `A`
//!
//! > (D)  lo(X), lo(Y), begin(A) ≤ hi(T) ≤ hi(A).
//!
//! **Lemma 2.** Let π = α·X·Y·β be an explanation, where α starts with the transactions of the world and
//! `T` is `Y` or in β. If `X` and `Y` are `apart` in the world, or if α is the world and they `commute`
//! in it, then α·Y·X·β is an explanation for some choice of ways. All its states are those of π, but
//! for the one between `X` and `Y`.
//!
//! *Proof.* Let `p` be the number of the state after α, so that `p+1` is the state between the two and `p+2`
//! the one after both.
//!
//! *The two themselves.* If their reaches do not touch, each answers and writes the same in both orders
//! (Lemma 1), and neither writes a row that the other writes or depends on. If `Y` read `p+1`, it now reads
//! `p`, which looks the same to it. If the reaches touch, [`same`] has carried out both orders after α:
//! each transaction is explained in exactly one way in each of them, and they leave the same rows behind.
//! So these are their ways in π, too.
//!
//! *Time.* `Y` now comes before `X`, and lo(Y) ≤ hi(X) by (D). Other pairs keep their order.
//!
//! *Transactions that do not read `p+1`.* States up to `p` and from `p+2` on are the same as before, and so
//! is the set of rows written between any two of them.
//!
//! *Transactions that read `p+1`.* At `ser` and `sser` there are none, since everybody reads where it takes
//! effect. At other levels, let `R` read `p+1`, as a whole or, at `strong-rc`, in one of its statements; what is
//! said of its begin and its answer is then said of that statement, which comes within the time of `R`. It is not in α, where only states up to `p` are read.
//! If it began after `hi(T)` and its level does not let it read old states, its state has everything that
//! was over before it began, `T` included, so it is not `p+1`. Therefore `R` is open, or its level is
//! `si` or `rc` and it is in [`Context::readers`], which has everybody. As the two cannot be told apart
//! ([`may_be_told`]), `R` does not see the writes of both, and
//!
//! * if it sees those of `X` only, it reads `p+2` instead, which looks the same to it. It may: it does
//!   not *miss* `Y`, whose commit was asked for before `R` got its answer.
//! * If it sees those of `Y` only, or neither, it reads `p` instead. It may: `X` was not over before `R`
//!   began, by (D), where that counts. Where a transaction sees what its session did before, `X`
//!   is not of its session: a reader counts as seeing everybody of its session.
//!
//! A later snapshot leaves fewer commits between snapshot and commit, and an earlier one adds `X`, which
//! writes no row that `R` writes. So there is no new conflict. At `rc`, a statement that only reads may see
//! every row in a version of its own; the versions are the same in both orders, as `X` and `Y` write no
//! row in common (a statement that writes, also one of theirs, is in `readers`). Such statements only
//! ask that nothing is missed.
//!
//! *What `strong-rc` leaves open.* If `T` leaves nothing behind, a statement may begin after `hi(T)` and still read
//! `p+1`. But then `T` has seen `X`, and the statement that began later has not: no server that promises
//! `strong-rc` shows that, since what `T` has seen was committed. So at this level the lemma is about explanations
//! in which no statement reads an older state than one that was answered before it was sent. Every execution
//! of a server is such an explanation, and nothing else is rejected. An accept does not check this rule.
//!
//! *Turns*, at `ssi` and `mariadb-rr`. Let `R` have read before `R'` began. If both read `p+1` before,
//! the only trouble is that `R` has moved to `p+2` and `R'` to `p`.
//!
//! * If `R'` is not one of the two and sees `Y`, then `R` and `R'` together tell `X` and `Y` apart, which
//!   [`may_be_told`] asks of all pairs of this kind. If `R'` sees neither, let it read `p+2`, too. It may,
//!   since `Y` is not too late for `R`, so not for `R'`, which was answered later.
//! * If `R'` is `Y`, then `R` sees `X` and [`follows`] says that `Y` comes too late for it: told apart. This
//!   is so even if `Y` only reads.
//!
//! If only one of them read `p+1`, the other read `p` or less, or `p+2` or more, and stays on the right
//! side; those in α have read `p` or less, and those not yet begun read `p+2` or more. ∎
//!
//! [`apart`] asks for Lemma 1 and for the open transactions of the world; after further transactions fewer
//! are open, so it stays true. [`commute`] may use [`same`], which is about the state after α only.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::place::place;
use super::survey::survey;
use crate::explain::{Context, explain};
use crate::level::AuditLevel;
use crate::model::Time;
use crate::statement::{Task, Traits, UnsupportedError};
use crate::world::{Key, Row, World, Write};

/// What a transaction does with rows, found out once.
pub(super) fn traits(
    context: &Context<'_>,
    world: &World,
    task: &Task,
) -> Result<Rc<Traits>, UnsupportedError> {
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
) -> Result<bool, UnsupportedError> {
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
) -> Result<bool, UnsupportedError> {
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
struct Visibility {
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
    let visibility = |reader: &Rc<Task>| Visibility {
        sees: [one, other].map(|task| reader.reach.sees(&task.reach)),
        misses: [one, other]
            .map(|task| is_missed(level, reader, task) || follows(level, reader, task)),
        begin: reader.begin,
        by: reader.snapshot_by,
    };
    let tells = |a: &Visibility, b: &Visibility| {
        a.sees[0] && (b.sees[1] || b.misses[1]) || a.sees[1] && (b.sees[0] || b.misses[0])
    };
    if level == AuditLevel::ReadCommitted {
        // Single rows may be of any state, but what is changed is looked for in one.
        let mut open = open.map(|reader| (reader, visibility(reader)));
        return context.readers.is_some_and(|readers| readers.see_both(one, other))
            || open.any(|(reader, visibility)| {
                let Visibility { sees, misses, .. } = visibility;
                sees[0] && misses[1]
                    || sees[1] && misses[0]
                    || reader.writers().any(|w| w.sees(&one.reach) && w.sees(&other.reach))
            });
    }
    let visibilities: Vec<Visibility> = open.map(visibility).collect();
    let in_turn = level.snapshot_at_start();
    visibilities.iter().enumerate().any(|(place, a)| {
        visibilities.iter().enumerate().any(|(other, b)| {
            (place == other || in_turn && (a.by < b.begin || b.by < a.begin)) && tells(a, b)
        })
    }) || context.readers.is_some_and(|readers| readers.see_both(one, other))
}

/// Whether a transaction was committed too late for another one to see it.
fn is_missed(level: AuditLevel, reader: &Task, task: &Task) -> bool {
    level.reads_by_time() && task.lo > reader.started && task.reach.may_write()
}

/// Whether a transaction, even one that only reads, reads no older state than another one, because it
/// began when that one had read.
fn follows(level: AuditLevel, reader: &Task, task: &Task) -> bool {
    level.snapshot_at_start() && reader.snapshot_by < task.begin
}

/// The same as far as it can be told from what they did.
fn reads_between(
    context: &Context<'_>,
    world: &World,
    reader: &Task,
    one: &Task,
    other: &Task,
) -> Result<bool, UnsupportedError> {
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
) -> Result<bool, UnsupportedError> {
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
) -> Result<Option<BTreeMap<Key, Option<Row>>>, UnsupportedError> {
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
