//! The transactions that are open, and all worlds that explain the others.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::combined::Combined;
use super::explore::Explorer;
use super::extent::Extent;
use super::merge::{common, merge};
use super::turn::take_turns;
use crate::explain::{Context, Effort, Failed, Notes, Untried, attempt};
use crate::model::{NEVER, Outcome, Time, Txn};
use crate::options::AuditOptions;
use crate::sql::Sql;
use crate::statement::{Readers, Task, UnsupportedError};
use crate::store::Store;
use crate::world::{Key, Position, Record, Row, World};

/// How many worlds the quick pass follows.
const QUICK: usize = 32;

/// The transactions that are open, and all worlds that explain the others.
pub(crate) struct WorldSearch {
    pub(crate) store: Store,
    pub(crate) sql: Sql,
    pub(crate) options: AuditOptions,
    pub(crate) effort: Effort,
    mended: bool,
    pub(crate) notes: Notes,
    /// How much of the log is looked at.
    pub(crate) extent: Extent,
    /// Everybody who may read old states, if everything is to be tried.
    pub(crate) readers: Option<Readers>,
    worlds: Vec<World>,
    pending: BTreeMap<u32, Rc<Task>>,
    deadlines: BTreeSet<(Time, u32)>,
    /// How transactions are explained, by their serial numbers.
    pub(crate) records: Vec<Record>,
    /// The number and the line of each transaction in the log.
    names: Vec<(u64, u64)>,
    /// When each transaction began, by their serial numbers.
    begins: Vec<Time>,
    /// How many worlds there were when the log was over.
    pub(crate) last_worlds: usize,
    /// The most worlds there ever were.
    pub(crate) most_worlds: usize,
    /// What nothing explained and was passed over.
    pub(crate) passed_over: Vec<Unexplained>,
}

/// The rows of a state and the transactions that are open then.
pub(crate) struct State {
    pub(crate) rows: Vec<(Key, Row)>,
    pub(crate) open: Vec<Txn>,
}

/// Nothing explains a transaction.
#[derive(Debug)]
pub(crate) struct Unexplained {
    pub(crate) task: Rc<Task>,
    /// The last worlds, and what failed in each of them.
    pub(crate) tries: Vec<(World, Vec<Failed>)>,
    /// Which of its answers is wrong in every state, if that was found out.
    pub(crate) impossible: Option<Impossible>,
    /// What its query answers on all versions of rows that it can have read, if that was found out.
    pub(crate) combined: Option<Combined>,
}

/// An answer that is wrong in every state.
#[derive(Debug)]
pub(crate) struct Impossible {
    /// The step that it answers.
    pub(crate) step: usize,
    /// Why, as a sentence.
    pub(crate) reason: String,
}

impl Unexplained {
    /// The step that nothing explains, in the tries that came furthest. Returns `None` if all steps are
    /// explained.
    pub(crate) fn step(&self) -> Option<usize> {
        if let Some(impossible) = &self.impossible {
            return Some(impossible.step);
        }
        if let Some(combined) = &self.combined {
            return Some(combined.step);
        }
        self.tries.iter().flat_map(|(_, failed)| failed).map(|failed| failed.step).max()
    }

    /// Why its answer is wrong, whatever the order, as a sentence.
    pub(crate) fn why_impossible(&self) -> Option<String> {
        let impossible = self.impossible.as_ref().map(|impossible| impossible.reason.clone());
        impossible.or_else(|| Some(self.combined.as_ref()?.to_string()))
    }

    /// Its place among the calls of the transaction.
    pub(crate) fn call(&self) -> Option<usize> {
        Some(self.task.statement(self.step()?)?.call)
    }
}

/// Why the search stops.
#[derive(Debug)]
pub(crate) enum SearchError {
    Unexplained(Box<Unexplained>),
    Unsupported(Rc<Task>, UnsupportedError),
}

impl WorldSearch {
    pub(crate) fn new(sql: Sql, options: AuditOptions, effort: Effort) -> Self {
        Self {
            store: Store::new(options.heuristics.index),
            sql,
            options,
            effort,
            mended: effort.mended,
            notes: Notes::default(),
            extent: Extent::default(),
            readers: None,
            worlds: vec![World::default()],
            pending: BTreeMap::new(),
            deadlines: BTreeSet::new(),
            records: Vec::new(),
            names: vec![(0, 0)],
            begins: vec![Time::MIN],
            last_worlds: 1,
            most_worlds: 1,
            passed_over: Vec::new(),
        }
    }

    /// A row is there from the start.
    pub(crate) fn load(&mut self, key: Key, row: Row) {
        self.sql.loaded(key, &row);
        self.store.load(key, row);
    }

    /// A transaction begins.
    pub(crate) fn admit(&mut self, task: Task) -> Result<(), SearchError> {
        self.until(task.begin)?;
        self.pass_by(&task);
        let Some(task) = self.extent.of(task) else { return Ok(()) };
        if task.hi != NEVER {
            self.deadlines.insert((task.hi, task.serial));
        }
        self.pending.insert(task.serial, Rc::new(task));
        Ok(())
    }

    /// Notes a transaction that need not be explained.
    pub(crate) fn pass_by(&mut self, task: &Task) {
        self.names.push((task.txn.number, task.txn.line));
        self.begins.push(task.begin);
    }

    /// The rows of the newest state and the transactions that are open. Returns `None` if there are
    /// several possibilities, or if some of what is open is in already.
    pub(crate) fn state(&self) -> Option<State> {
        let [world] = self.worlds.as_slice() else { return None };
        if !world.placed.is_empty() || !world.delta.is_empty() {
            return None;
        }
        let open = self.pending.values().map(|task| Txn::clone(&task.txn)).collect();
        Some(State { rows: self.store.newest(), open })
    }

    /// The number of a transaction in the log.
    pub(crate) fn number(&self, serial: u32) -> u64 {
        self.names.get(serial as usize).map_or(0, |&(number, _)| number)
    }

    /// The line of a transaction in the log.
    pub(crate) fn line(&self, serial: u32) -> u64 {
        self.names.get(serial as usize).map_or(0, |&(_, line)| line)
    }

    /// When the transaction began that came so many before another one.
    pub(crate) fn begin_before(&self, serial: u32, many: usize) -> Time {
        let place = (serial as usize).saturating_sub(many);
        self.begins.get(place).copied().unwrap_or(Time::MIN)
    }

    /// Everything that is over before this moment is in.
    pub(crate) fn until(&mut self, moment: Time) -> Result<(), SearchError> {
        while let Some(&(hi, serial)) = self.deadlines.first() {
            if hi >= moment {
                break;
            }
            self.deadlines.pop_first();
            self.choose_effort(hi);
            self.deadline(serial)?;
        }
        Ok(())
    }

    /// The log is over.
    pub(crate) fn finish(&mut self) -> Result<(), SearchError> {
        self.until(NEVER)?;
        // Without times, everything is still open; commits that nobody was told of may be left out.
        let open: Vec<u32> = self
            .pending
            .values()
            .filter(|task| task.txn.outcome == Outcome::Committed || task.only_reads)
            .map(|task| task.serial)
            .collect();
        for serial in open {
            self.deadline(serial)?;
        }
        self.last_worlds = self.worlds.len();
        self.worlds.truncate(1);
        self.settle();
        take_turns(&mut self.records, self.options.level.is_serial());
        Ok(())
    }

    /// In a pass that is mended, everything is tried for some stretches, and then one world is followed again.
    fn choose_effort(&mut self, moment: Time) {
        if !self.mended {
            return;
        }
        let thorough = self.extent.stretches.have(moment);
        if self.effort.full && !thorough {
            self.worlds.truncate(1);
        }
        self.effort = if thorough { Effort::LOCKED } else { Effort::MENDED };
    }

    /// A transaction has to be in every world now.
    fn deadline(&mut self, serial: u32) -> Result<(), SearchError> {
        let Some(task) = self.pending.get(&serial).cloned() else { return Ok(()) };
        let before = std::mem::take(&mut self.worlds);
        let mut ranked = Vec::new();
        for world in &before {
            let mut world = world.clone();
            if world.placed.remove(&serial) {
                ranked.push((0, world));
                continue;
            }
            let result = Explorer::new(&self.context(), &self.pending, &task).run(world);
            let found =
                result.map_err(|reason| SearchError::Unsupported(Rc::clone(&task), reason))?;
            ranked.extend(found.into_iter().enumerate());
        }
        // If there are too many, the likeliest that comes from each of those before is kept first.
        ranked.sort_by_key(|(rank, _)| *rank);
        let after: Vec<World> = ranked.into_iter().map(|(_, world)| world).collect();
        self.pending.remove(&serial);
        if after.is_empty() {
            return self.go_on_or_stop(task, before);
        }
        self.worlds = after;
        self.settle();
        Ok(())
    }

    /// Passes over an answer that nothing explains, if that is wanted.
    fn go_on_or_stop(&mut self, task: Rc<Task>, before: Vec<World>) -> Result<(), SearchError> {
        let serial = task.serial;
        let unexplained = self.last_words(Rc::clone(&task), before.clone());
        match unexplained.step() {
            Some(step)
                if self.passed_over.len() < self.extent.pardons
                    && self.notes.pardoned.borrow_mut().insert((serial, step)) =>
            {
                self.passed_over.push(unexplained);
            }
            _ => return Err(SearchError::Unexplained(Box::new(unexplained))),
        }
        self.worlds = before;
        self.pending.insert(serial, task);
        self.deadline(serial)
    }

    /// Why nothing explains a transaction.
    fn last_words(&self, task: Rc<Task>, worlds: Vec<World>) -> Unexplained {
        const MOST: usize = 4;
        let context = self.context();
        let mut tries = Vec::new();
        for world in worlds.into_iter().take(MOST) {
            let tried = attempt(&context, &world, &task);
            let failed = tried.map(|tried| tried.failed).unwrap_or_default();
            tries.push((world, failed));
        }
        Unexplained { task, tries, impossible: None, combined: None }
    }

    fn context(&self) -> Context<'_> {
        Context {
            store: &self.store,
            sql: &self.sql,
            options: &self.options,
            effort: self.effort,
            notes: &self.notes,
            readers: self.readers.as_ref(),
        }
    }

    /// Makes one world of those that are the same, and gives to the store what all agree on.
    fn settle(&mut self) {
        if self.worlds.len() > 1 && self.options.heuristics.merge {
            let oldest = self.oldest_begin();
            let exact = self.effort.full && self.options.level.reads_old_states();
            merge(&self.store, &mut self.worlds, if exact { Time::MIN } else { oldest });
        }
        let most =
            if self.effort.full { self.options.worlds } else { self.options.worlds.min(QUICK) };
        if self.worlds.len() > most {
            self.worlds.truncate(most);
            self.notes.leave(Untried::Orders, None);
        }
        self.most_worlds = self.most_worlds.max(self.worlds.len());
        for commit in common(&mut self.worlds) {
            self.store.commit(commit);
        }
        if let [world] = self.worlds.as_mut_slice() {
            self.records.extend(world.explained.drain(..).map(|pair| Record::of(&pair)));
        }
        self.store.forget(self.horizon());
        let oldest = self.oldest_begin();
        self.worlds.iter_mut().for_each(|world| world.moments.forget(oldest));
        let wanted = std::mem::take(&mut *self.notes.wanted.borrow_mut());
        for index in wanted {
            self.store.table_mut(index.table).make(&index);
        }
    }

    /// When the oldest transaction that may still read began.
    fn oldest_begin(&self) -> Time {
        // Serial writers read in the newest state, so one of unknown outcome needs no old ones.
        let serial = self.options.level.is_serial();
        let open = self.pending.values();
        let open = open.filter(|task| !(serial && task.txn.outcome == Outcome::Unknown));
        open.map(|task| task.begin).min().unwrap_or(NEVER)
    }

    /// The oldest state that somebody may still read.
    fn horizon(&self) -> Position {
        let position = self.store.position();
        if self.options.level.reads_old_states() {
            let window = self.options.heuristics.window && !self.effort.full;
            let kept = if window { position.saturating_sub(self.options.window) } else { 0 };
            return kept;
        }
        self.store.first_after(&World::default(), self.oldest_begin())
    }
}
