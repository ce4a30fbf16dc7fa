//! The work on one transaction in one world: what is tried, what was found, what failed.

use super::context::Context;
use super::untried::Untried;
use crate::statement::{Path, Ran, Script, Statement, Task, UnsupportedError};
use crate::store::View;
use crate::world::{At, Explanation, Footprint, Position, StepRead, World, Write};

/// A way to explain a transaction.
#[derive(Clone, Debug)]
pub(crate) struct Explained {
    pub(crate) explanation: Explanation,
    pub(crate) writes: Vec<Write>,
}

/// How far a transaction came before something else was observed than expected.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Failed {
    /// The step that is not explained.
    pub(crate) step: usize,
    /// What it saw in this try.
    pub(crate) at: At,
    /// Explained steps before it.
    pub(crate) before: Vec<StepRead>,
}

/// All attempts at one transaction in one world.
pub(crate) struct Attempt<'a, 'b> {
    pub(super) context: &'b Context<'a>,
    pub(super) world: &'b World,
    pub(super) task: &'b Task,
    /// The newest state of the world.
    pub(super) now: Position,
    /// The one state in which the transaction is tried, where it reads in one.
    pub(super) snapshot: Position,
    /// The oldest state that it can read.
    pub(super) lowest: Position,
    /// The last state that the statement that is tried can have looked at, if it holds no locks until the end.
    pub(super) moment: Option<Position>,
    /// Ways that work.
    pub(crate) found: Vec<Explained>,
    /// Tries that went furthest.
    pub(crate) failed: Vec<Failed>,
    /// What was looked at in all tries.
    pub(super) footprint: Footprint,
    /// What was looked at before statements that read in a state of their own.
    pub(super) before: Vec<Footprint>,
}

impl<'a, 'b> Attempt<'a, 'b> {
    /// Nothing was tried yet.
    pub(super) fn new(context: &'b Context<'a>, world: &'b World, task: &'b Task) -> Self {
        let now = context.store.position_of(world);
        Self {
            context,
            world,
            task,
            now,
            snapshot: now,
            lowest: now,
            moment: None,
            found: Vec::new(),
            failed: Vec::new(),
            footprint: Footprint::default(),
            before: Vec::new(),
        }
    }

    /// Whether one way is enough.
    pub(super) fn is_done(&self) -> bool {
        match self.found.first() {
            Some(_) if !self.context.effort.full => true,
            // Who reads which state matters to those who begin later.
            Some(_) if self.context.options.level.snapshot_at_start() => false,
            Some(found) => found.writes.is_empty() && !self.task.may_or_may_not_write(),
            None => false,
        }
    }

    /// The state in which keys have to be unique.
    pub(super) fn newest(&self) -> Position {
        if self.context.options.level.is_serial() { self.snapshot } else { self.now }
    }

    /// Carries out a statement in one way.
    pub(super) fn run(
        &mut self,
        statement: &Statement,
        path: &Path,
        at: &At,
        script: &mut Script,
    ) -> Result<Ran, UnsupportedError> {
        let context = self.context;
        let newest = match self.moment {
            None => self.newest(),
            Some(moment) => moment.max(at.newest()),
        };
        context.notes.runs.set(context.notes.runs.get() + 1);
        context.notes.budget.check().map_err(|stop| UnsupportedError(stop.to_string()))?;
        let shown = context.sql.shown(&path.own, statement, context.options.level);
        let mut view = View {
            store: context.store,
            world: self.world,
            at,
            own: &shown.own,
            hidden: &shown.hidden,
            footprint: &mut self.footprint,
            wanted: None,
            newest,
        };
        let ran = context.sql.run(statement, &mut view, script, path)?;
        if let Some(wanted) = view.wanted {
            context.notes.wanted.borrow_mut().push(wanted);
        }
        Ok(ran)
    }

    /// Notes that something was left untried.
    pub(super) fn leave(&self, what: Untried) {
        self.context.notes.leave(what, Some(self.task.txn.number));
    }

    /// Notes a try that failed, if it came as far as any.
    pub(super) fn fail(&mut self, step: usize, path: &Path, at: &At) {
        const MOST: usize = 8;
        let furthest = self.failed.first().map_or(0, |failed| failed.step);
        if step > furthest {
            self.failed.clear();
        }
        if step >= furthest && self.failed.len() < MOST {
            let before = path.steps.clone();
            self.failed.push(Failed { step, at: at.clone(), before });
        }
    }
}
