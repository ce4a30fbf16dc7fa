//! What may come before a transaction whose time is up.
//!
//! At its deadline a transaction `T` may be put in at once, or after some of those that are open. Of
//! these only the ones matter that do not commute with `T`, or with one that matters: all others can as
//! well come later. And of two that commute, one order is enough. The second rule is that of sleep
//! sets: what was tried first at a node sleeps in its later branches until something runs that it
//! does not commute with.
//!
//! The likely order comes first: that of the stamps, else of the calls of commits. Transactions that have
//! nothing to do with each other are put in that order, or the one whose time is up comes first: a
//! commit may be asked for long before it takes effect. Only if that explains nothing, or if everything
//! has to be tried, they are put in all orders that an open transaction could tell apart.
//!
//! # Why no order is lost
//!
//! This is about passes that try everything. Explanations and their conditions are defined in
//! [`crate::search`], and ~ stands for a number of exchanges as in Lemma 2 (`commute.rs`). The world after
//! the sequence `w` is also called `w`. A transaction is *first* in an explanation w·u·T·β if an equivalent
//! explanation w·a·… begins with it.
//!
//! **Theorem 1.** Let `w` be a world without `T`, and let π = w·u·T·β be an explanation of the log. Then
//! `visit(w, ∅)` finds a world `v` such that an explanation π' ~ π begins with `v` and `v` ends with `T`,
//! unless a cut is noted.
//!
//! *Proof.* We show more: `visit(w, Z)` finds such a world whenever no transaction of the sleep set `Z` is
//! first in π. The proof is by induction on the length of `u`.
//!
//! *Reads in turn.* At `ser` and `sser`, `let_read` puts in those who cannot leave anything behind and are
//! explained here. Let `R` be one. Put `R` directly after `w` in π, whether it was in π or not: it changes
//! no state, it is explained there, and by (D) nobody that comes after it was over before it began. If a
//! sleeper that commutes with `R` were first after w·R, it would have been first in π. So we may assume
//! that this was done.
//!
//! *Only what matters comes before T.* All of `u` are candidates: by the time condition they take effect by
//! `hi(T)`, and whoever begins by then has been admitted. Let `C` be the closure, that is `T` and everybody
//! who is not `apart` from a member. If `A` in `u` is not in `C`, it is apart from all members, also later,
//! so it can be moved behind all of them that follow it, `T` included, one exchange after the other. What
//! remains before `T` is in `C`, and π has become an equivalent explanation. Those who leave nothing
//! behind are never in `u` at other levels than `ser` and `sser`: which states they read does not depend
//! on their place, so they may stand at the end of their time (`has_place`).
//!
//! *One step.* Of the transactions that are first in π and are `T` or in `C`, let `a` be the one that this
//! node tries first; there is one, since the next of u·T is first. It is not asleep. It is explained in `w`
//! in its way of π, and `explain` returns that way or one that leaves the same behind. If `a` is `T`, then
//! w·T is found. Otherwise w·a is visited with the sleep set `Z'` of those in `Z`, or tried before `a`,
//! that commute with `a` in `w`. Suppose that some `z` in `Z'` is first in the explanation w·a·…, that is
//! π ~ w·a·z·…. By Lemma 2, π ~ w·z·a·…, so `z` is first in π. But `z` is neither in `Z`, by assumption, nor
//! was it tried before `a`, by the choice of `a`. So the induction hypothesis applies to w·a. ∎
//!
//! *Where the node stops early.* If `T` is explained here and writes nothing, wherever it is put, nothing
//! else is tried. Then T may be moved directly behind `w` in π. At `ser` and `sser` this is the argument of
//! `let_read`. At the other levels `T` only changes the state it reads, which matters to nobody unless
//! there are turns, and then only to those who had read before `T` began and are still open. If there is
//! such a transaction, the node goes on (`binds_others`). A transaction that may write in some states and
//! not in others is always tried further.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::commute::{apart, commute};
use super::place::place;
use crate::explain::{Context, Untried, explain};
use crate::model::Time;
use crate::options::CommitOrder;
use crate::statement::{Task, UnsupportedError};
use crate::world::World;

/// All ways to put in one transaction.
pub(super) struct Explorer<'a, 'c> {
    context: &'a Context<'c>,
    pending: &'a BTreeMap<u32, Rc<Task>>,
    target: &'a Task,
    found: Vec<World>,
    nodes: usize,
    /// Whether readers between two that do not touch each other are thought of.
    complete: bool,
}

impl<'a, 'c> Explorer<'a, 'c> {
    pub(super) fn new(
        context: &'a Context<'c>,
        pending: &'a BTreeMap<u32, Rc<Task>>,
        target: &'a Task,
    ) -> Self {
        Self { context, pending, target, found: Vec::new(), nodes: 0, complete: false }
    }

    /// All worlds with the transaction in it that come from this one.
    pub(super) fn run(mut self, world: World) -> Result<Vec<World>, UnsupportedError> {
        match self.context.options.order == CommitOrder::Exact || self.context.effort.stamped {
            true => self.in_order(world)?,
            false => self.in_any_order(&world)?,
        }
        Ok(self.found)
    }

    fn in_any_order(&mut self, world: &World) -> Result<(), UnsupportedError> {
        let likely = self.likely(world)?;
        self.visit(&likely, &BTreeSet::new())?;
        if self.is_enough() {
            return Ok(());
        }
        let full = self.context.effort.full;
        if !full && likely.placed.len() > world.placed.len() {
            self.visit(world, &BTreeSet::new())?;
        }
        if full || self.found.is_empty() {
            self.complete = true;
            self.visit(world, &BTreeSet::new())?;
        }
        Ok(())
    }

    /// The world in which those are in that probably came before the one whose time is up, as far as
    /// that makes a difference to somebody.
    fn likely(&mut self, world: &World) -> Result<World, UnsupportedError> {
        let mut earlier: Vec<&Rc<Task>> =
            self.candidates(world).filter(|task| is_earlier(task, self.target)).collect();
        earlier.sort_by_key(|task| likely_place(task));
        let mut world = world.clone();
        for task in earlier {
            let open = self.open(&world, [task.serial, self.target.serial]);
            if commute(self.context, &world, task, self.target, open, true)? {
                continue;
            }
            let ways = explain(self.context, &world, task)?;
            if let Some(way) = ways.into_iter().find(|way| !way.writes.is_empty()) {
                world = place(self.context, &world, task, way);
                world.placed.insert(task.serial);
            }
        }
        Ok(world)
    }

    fn visit(&mut self, world: &World, asleep: &BTreeSet<u32>) -> Result<(), UnsupportedError> {
        self.nodes += 1;
        if self.nodes > self.context.options.attempts {
            self.context.notes.leave(Untried::Orders, Some(self.target.txn.number));
            return Ok(());
        }
        let (mut world, mut asleep) = (world.clone(), asleep.clone());
        if self.context.reads_in_turn() {
            self.let_read(&mut world, &mut asleep)?;
        }
        let (world, asleep) = (&world, &asleep);
        let ways = explain(self.context, world, self.target)?;
        let thorough = self.context.effort.full && self.target.may_or_may_not_write();
        let reads_only = !thorough
            && ways.first().is_some_and(|way| way.writes.is_empty())
            && !self.binds_others(world);
        let mut done = asleep.clone();
        if !ways.is_empty() && done.insert(self.target.serial) {
            self.found
                .extend(ways.into_iter().map(|way| place(self.context, world, self.target, way)));
        }
        if reads_only || self.is_enough() {
            return Ok(());
        }
        for other in self.closure(world)? {
            if done.contains(&other.serial) {
                continue;
            }
            for way in explain(self.context, world, &other)? {
                if way.writes.is_empty() && !self.has_turn(&other) {
                    continue;
                }
                let sleep = self.still_asleep(world, &done, &other)?;
                let mut next = place(self.context, world, &other, way);
                next.placed.insert(other.serial);
                self.visit(&next, &sleep)?;
                if self.is_enough() {
                    return Ok(());
                }
            }
            done.insert(other.serial);
        }
        Ok(())
    }

    /// Whether the state that the transaction reads matters to a transaction that is still open: where
    /// nobody goes back, one that had read before this one began reads no newer state.
    fn binds_others(&self, world: &World) -> bool {
        let (level, target) = (self.context.options.level, self.target);
        self.context.effort.full
            && level.snapshot_at_start()
            && self.open(world, [target.serial; 2]).any(|reader| reader.snapshot_by < target.begin)
    }

    /// Whether somebody who leaves nothing behind has a place in the order all the same: keys that he
    /// inserts must be free where he takes effect.
    fn has_turn(&self, task: &Task) -> bool {
        self.context.effort.full && (self.context.reads_in_turn() || task.may_or_may_not_write())
    }

    /// Puts in everybody here who leaves nothing behind and is explained: whatever comes after him can
    /// come as well without him.
    fn let_read(
        &self,
        world: &mut World,
        asleep: &mut BTreeSet<u32>,
    ) -> Result<(), UnsupportedError> {
        for reader in self.closure(world)?.into_iter().filter(|task| task.leaves_nothing()) {
            if let Some(way) = explain(self.context, world, &reader)?.pop() {
                *asleep = self.still_asleep(world, asleep, &reader)?;
                *world = place(self.context, world, &reader, way);
                world.placed.insert(reader.serial);
            }
        }
        Ok(())
    }

    /// Whether one way is enough, and there is one.
    fn is_enough(&self) -> bool {
        self.context.effort.greedy && !self.found.is_empty()
    }

    /// Those of the sleepers that the next one does not wake.
    fn still_asleep(
        &self,
        world: &World,
        done: &BTreeSet<u32>,
        next: &Task,
    ) -> Result<BTreeSet<u32>, UnsupportedError> {
        let mut asleep = BTreeSet::new();
        for serial in done {
            let Some(sleeper) = self.pending.get(serial) else { continue };
            if self.commute(world, sleeper, next)? {
                asleep.insert(*serial);
            }
        }
        Ok(asleep)
    }

    /// The open transactions that matter to the one whose time is up.
    fn closure(&self, world: &World) -> Result<Vec<Rc<Task>>, UnsupportedError> {
        let mut outside: Vec<Rc<Task>> =
            self.candidates(world).filter(|task| self.has_place(task)).cloned().collect();
        let mut inside: Vec<Rc<Task>> = Vec::new();
        let mut next = 0;
        loop {
            let member: &Task = match next {
                0 => self.target,
                place => match inside.get(place - 1) {
                    Some(task) => task,
                    None => break,
                },
            };
            let mut matter = Vec::new();
            for task in std::mem::take(&mut outside) {
                match self.can_wait(world, member, &task)? {
                    true => outside.push(task),
                    false => matter.push(task),
                }
            }
            inside.extend(matter);
            next += 1;
        }
        inside.sort_by_key(likely_place);
        Ok(inside)
    }

    /// Whether a transaction can come before another one in the order. Unless everything has to be tried,
    /// those are thought of, too, that only read.
    fn has_place(&self, task: &Task) -> bool {
        !self.context.effort.full || self.context.reads_in_turn() || !task.leaves_nothing()
    }

    /// Those that are open and can have taken effect by now.
    fn candidates(&self, world: &World) -> impl Iterator<Item = &'a Rc<Task>> {
        let (target, now) = (self.target.serial, self.target.hi);
        let placed = world.placed.clone();
        let in_turn = self.context.reads_in_turn();
        self.pending.values().filter(move |task| {
            task.serial != target
                && task.lo <= now
                && (!task.only_reads || in_turn)
                && !placed.contains(&task.serial)
        })
    }

    /// Whether one may as well come after another one.
    fn can_wait(&self, world: &World, one: &Task, other: &Task) -> Result<bool, UnsupportedError> {
        if !self.context.effort.full {
            return self.commute(world, one, other);
        }
        Ok(apart(self.context, one, other, self.open(world, [one.serial, other.serial])))
    }

    fn commute(&self, world: &World, one: &Task, other: &Task) -> Result<bool, UnsupportedError> {
        let open = self.open(world, [one.serial, other.serial]);
        commute(self.context, world, one, other, open, self.complete)
    }

    /// Everybody who is not in yet, without two.
    fn open<'w>(
        &self,
        world: &'w World,
        both: [u32; 2],
    ) -> impl Iterator<Item = &'a Rc<Task>> + use<'a, 'w> {
        self.pending.values().filter(move |task| {
            !both.contains(&task.serial) && !world.placed.contains(&task.serial)
        })
    }

    /// If the stamps are the order, whoever has a smaller one comes first; where everything has to be
    /// tried, in each way that explains it.
    fn in_order(&mut self, world: World) -> Result<(), UnsupportedError> {
        let mut earlier: Vec<&Rc<Task>> =
            self.candidates(&world).filter(|task| task.txn.stamp.is_some()).collect();
        earlier.sort_by_key(|task| task.txn.stamp);
        let (own, full) = (self.target.txn.stamp, self.context.effort.full);
        let mut left = vec![(world, earlier.as_slice())];
        while let Some((world, earlier)) = left.pop() {
            self.nodes += 1;
            if full && self.nodes > self.context.options.attempts {
                self.context.notes.leave(Untried::Orders, Some(self.target.txn.number));
                return Ok(());
            }
            let due = earlier.first().is_some_and(|task| own.is_some() && task.txn.stamp < own);
            if !due {
                let ways = explain(self.context, &world, self.target)?;
                if !ways.is_empty() || own.is_some() {
                    let target = self.target;
                    let worlds =
                        ways.into_iter().map(|way| place(self.context, &world, target, way));
                    self.found.extend(worlds);
                    continue;
                }
            }
            let Some((next, rest)) = earlier.split_first() else { continue };
            let mut ways = explain(self.context, &world, next)?;
            ways.truncate(if full { usize::MAX } else { 1 });
            // The first way is followed first.
            for way in ways.into_iter().rev() {
                let mut world = place(self.context, &world, next, way);
                world.placed.insert(next.serial);
                left.push((world, rest));
            }
        }
        Ok(())
    }
}

/// Where a transaction probably is in the order.
fn likely_place(task: &Rc<Task>) -> (Option<u64>, Time, u32) {
    (task.txn.stamp, task.txn.probable_commit(), task.serial)
}

/// Whether a transaction probably took effect before another one.
fn is_earlier(task: &Task, other: &Task) -> bool {
    match (task.txn.stamp, other.txn.stamp) {
        (Some(own), Some(stamp)) => own < stamp,
        _ => task.txn.probable_commit() < other.txn.probable_commit(),
    }
}
