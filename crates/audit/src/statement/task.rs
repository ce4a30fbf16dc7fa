//! A transaction, ready to be tried in many places.

use std::cell::RefCell;
use std::rc::Rc;

use super::prepared::Statement;
use super::reach::Reach;
use crate::level::{AuditLevel, Frame, Kind};
use crate::model::{Call, Control, NEVER, Outcome, Time, Txn};
use crate::options::{AuditOptions, CommitOrder};
use crate::world::{Footprint, Write};

/// A transaction and where it can be.
#[derive(Debug)]
pub(crate) struct Task {
    /// Its place in the order of begins, from 1. Zero stands for what is there from the start.
    pub(crate) serial: u32,
    pub(crate) txn: Rc<Txn>,
    pub(crate) steps: Vec<Step>,
    /// It takes effect not before this moment,
    pub(crate) lo: Time,
    /// and not after that one.
    pub(crate) hi: Time,
    /// No state before this moment is read, where the level says so.
    pub(crate) begin: Time,
    /// Until when the first statement was answered.
    pub(crate) started: Time,
    /// Until when the one state of the transaction is chosen, where it reads one.
    pub(crate) snapshot_by: Time,
    /// Whether it leaves something behind wherever it is put.
    pub(crate) surely_writes: bool,
    /// What it may look at and write, wherever it is put.
    pub(crate) reach: Reach,
    /// What it looks at and writes where that was found out.
    pub(crate) traits: RefCell<Option<Rc<Traits>>>,
    /// Whether its reads count although it is not in the database.
    pub(crate) only_reads: bool,
    /// Whether it may have had more than one snapshot.
    pub(crate) unsettled: bool,
}

/// What a transaction does with rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traits {
    pub(crate) footprint: Footprint,
    pub(crate) writes: Vec<Write>,
}

/// One thing that a transaction does.
#[derive(Debug)]
pub(crate) enum Step {
    /// It runs a statement.
    Run(Box<Statement>),
    /// It remembers this place.
    Savepoint(String),
    /// It undoes what was after that place.
    RollbackTo(String),
}

impl Task {
    pub(crate) fn new(serial: u32, txn: Txn, steps: Vec<Step>, options: &AuditOptions) -> Self {
        let early = |time: Time| time.saturating_sub(options.drift);
        let late =
            |time: Time| if time == NEVER { NEVER } else { time.saturating_add(options.drift) };
        let (mut lo, mut hi) = match options.level {
            AuditLevel::Serializable | AuditLevel::StrictSerializable => {
                (early(txn.begin), late(txn.end))
            }
            _ => (early(txn.commit), late(txn.end)),
        };
        let (mut begin, mut started) = (early(txn.begin), late(txn.first_answer()));
        if options.order == CommitOrder::Free {
            (lo, hi, begin, started) = (Time::MIN, NEVER, Time::MIN, NEVER);
        }
        let traits = RefCell::new(None);
        let mut reach = Reach::default();
        statements(&steps).for_each(|statement| reach.add(&statement.reach));
        let surely_writes = !reach.anything && surely_writes(&steps);
        let (only_reads, unsettled) = (false, false);
        let txn = Rc::new(txn);
        let snapshot_by = started;
        let mut task = Self {
            serial,
            txn,
            steps,
            lo,
            hi,
            begin,
            started,
            snapshot_by,
            surely_writes,
            reach,
            traits,
            only_reads,
            unsettled,
        };
        task.snapshot_by = task.snapshot_chosen_by(options.level);
        task
    }

    /// The same transaction with other steps, at the same time.
    pub(super) fn with_steps(&self, steps: Vec<Step>) -> Self {
        let mut reach = Reach::default();
        statements(&steps).for_each(|statement| reach.add(&statement.reach));
        let surely_writes = !reach.anything && surely_writes(&steps);
        let (txn, traits) = (Rc::clone(&self.txn), RefCell::new(None));
        Self { txn, steps, surely_writes, reach, traits, ..*self }
    }
}

impl Step {
    /// The statement that it runs, if it runs one.
    pub(crate) fn statement(&self) -> Option<&Statement> {
        match self {
            Self::Run(statement) => Some(statement),
            Self::Savepoint(_) | Self::RollbackTo(_) => None,
        }
    }
}

fn statements(steps: &[Step]) -> impl Iterator<Item = &Statement> {
    steps.iter().filter_map(Step::statement)
}

/// Whether a transaction was told that it changed rows, and cannot have undone that itself.
fn surely_writes(steps: &[Step]) -> bool {
    let undoes = |step: &Step| match step {
        Step::Run(statement) => statement.plan.prepared.may_delete(),
        Step::RollbackTo(_) => true,
        Step::Savepoint(_) => false,
    };
    // Statements that are not judged may have changed the rows of other tables.
    let changes = statements(steps).any(|statement| statement.expected.has_changes());
    changes && !steps.iter().any(undoes)
}

impl Task {
    /// Where its statements read.
    pub(crate) fn frames(&self, level: AuditLevel) -> impl Iterator<Item = Frame> {
        statements(&self.steps).map(move |statement| level.frame(statement.kind()))
    }

    /// Until when the one state of the transaction is chosen: MariaDB and MySQL choose it with the first
    /// plain read that looks at a table. If it is not clear of any whether it does, the last one may be the first.
    fn snapshot_chosen_by(&self, level: AuditLevel) -> Time {
        if level != AuditLevel::MariaDbRepeatableRead {
            return self.started;
        }
        let looks = |step: &Step| step.statement().is_some_and(Statement::surely_looked);
        let plain = |step: &Step| step.statement().is_some_and(|run| run.kind() == Kind::Read);
        let first = self.steps.iter().position(looks);
        let by = first.or_else(|| self.steps.iter().rposition(plain));
        by.map_or(self.started, |step| self.end_of(step))
    }

    /// Whether it leaves nothing behind wherever it is put.
    pub(crate) fn leaves_nothing(&self) -> bool {
        self.only_reads || !self.reach.may_write()
    }

    /// Whether it can leave something behind in one state and nothing in another one.
    pub(crate) fn may_or_may_not_write(&self) -> bool {
        !self.surely_writes && !self.only_reads && self.reach.may_write()
    }

    /// What its statements that write may look at, one by one.
    pub(crate) fn writers(&self) -> impl Iterator<Item = &Reach> {
        let writers = statements(&self.steps).filter(|statement| statement.kind() == Kind::Write);
        writers.map(|statement| &statement.reach)
    }

    /// The statement that a step runs, if it runs one.
    pub(crate) fn statement(&self, step: usize) -> Option<&Statement> {
        self.steps.get(step)?.statement()
    }

    /// What a step may look at and write.
    pub(crate) fn reach_of(&self, step: usize) -> Option<&Reach> {
        Some(&self.statement(step)?.reach)
    }

    /// Leaves out all statements but some.
    pub(crate) fn keep(&mut self, keeps: impl Fn(&Reach) -> bool) {
        let kept = |step: &Step| step.statement().is_none_or(|run| keeps(&run.reach));
        let all = self.steps.len();
        self.steps.retain(kept);
        if self.steps.len() < all {
            self.reach = Reach::default();
            statements(&self.steps).for_each(|statement| self.reach.add(&statement.reach));
            self.surely_writes = false;
        }
    }

    /// Whether it runs no statement at all.
    pub(crate) fn is_empty(&self) -> bool {
        statements(&self.steps).next().is_none()
    }

    /// When a step was sent.
    pub(crate) fn begin_of(&self, step: usize) -> Time {
        self.call(step).map_or(self.txn.begin, |call| call.begin)
    }

    /// When a step was answered.
    pub(crate) fn end_of(&self, step: usize) -> Time {
        self.call(step).map_or(self.txn.end, |call| call.end)
    }

    /// The number of a statement among those of the transaction that read or write, from 1.
    pub(crate) fn statement_number(&self, step: usize) -> Option<u64> {
        let before = self.txn.calls.get(..=self.statement(step)?.call)?;
        Some(before.iter().filter(|call| call.control == Control::Statement).count() as u64)
    }

    /// Whether a log is not explained without it.
    pub(crate) fn must_be_explained(&self) -> bool {
        self.only_reads || self.txn.outcome == Outcome::Committed
    }

    /// Whether the rows that a step writes, or the keys that it finds taken, are those of its own moment, whatever
    /// they are when the transaction ends: nothing of it is locked by then.
    pub(crate) fn is_of_its_moment(&self, step: usize) -> bool {
        let undone = self.is_undone(step);
        self.statement(step).is_some_and(|statement| {
            statement.kind() != Kind::Read
                && (undone || self.only_reads || statement.found_keys_taken())
        })
    }

    /// Whether a later step goes back to a savepoint that was set before this one.
    fn is_undone(&self, step: usize) -> bool {
        self.steps.iter().enumerate().skip(step).any(|(later, undoing)| {
            let Step::RollbackTo(name) = undoing else { return false };
            let sets = |earlier: &Step| matches!(earlier, Step::Savepoint(other) if other == name);
            self.steps[..later].iter().rposition(sets).is_some_and(|set| set < step)
        })
    }

    /// The call behind a step.
    pub(crate) fn call(&self, step: usize) -> Option<&Call> {
        self.txn.calls.get(self.statement(step)?.call)
    }
}
