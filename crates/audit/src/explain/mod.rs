//! How a transaction can be explained in a world.
//!
//! ```text
//!   a world, a transaction ──► states it may read ──► carry it out ──► as observed? ──► Explained
//!                              (its level says which)     └── what it looked at says which other
//!                                                             states could make a difference
//! ```
//!
//! States that differ in nothing the transaction looked at are one candidate. A statement that only
//! reads is done as soon as one state explains it: what it read changes nothing for anybody else.

mod conflict;
mod effort;
mod path;
mod perrow;
mod statement;
mod states;

use std::cell::{Cell, RefCell};

use tristan_ground::Budget;
use tristan_sql::Session;

use crate::level::{Frame, Kind};
use crate::machine::{Machine, Moment, Ran, Script, TableId, Unsupported};
use crate::options::Options;
use crate::reach::Readers;
use crate::store::{At, Footprint, Position, Store, View, World, Write};
use crate::task::{Step, Task};

pub(crate) use effort::{Effort, Slice};
pub(crate) use path::Path;

/// Everything that does not change while one transaction is tried.
pub(crate) struct Context<'a> {
    pub(crate) store: &'a Store,
    pub(crate) machine: &'a dyn Machine,
    pub(crate) options: &'a Options,
    pub(crate) effort: Effort,
    pub(crate) notes: &'a Notes,
    /// Everybody who may read old states, if everything is to be tried.
    pub(crate) readers: Option<&'a Readers>,
}

impl Context<'_> {
    /// Whether those who only read have a place in the order, too. Otherwise they look for a state
    /// among those of their time when that is over, in whatever order the others were put.
    pub(crate) fn reads_in_turn(&self) -> bool {
        self.effort.full && self.options.level.is_serial()
    }
}

/// What is noted on the way.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// Something was not tried because there was too much of it.
    pub(crate) cut: Cell<bool>,
    /// How many statements were carried out.
    pub(crate) runs: Cell<u64>,
    /// No statement is carried out when it has ended; the pass is then late, whatever it says.
    pub(crate) budget: Budget,
    /// Indexes that would help.
    pub(crate) wanted: RefCell<Vec<(TableId, Vec<usize>)>>,
}

/// Where the statements of a transaction read, and what was decided.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Explanation {
    /// The state in which it took effect, or in which it read.
    pub(crate) position: Position,
    /// Whether it changed something.
    pub(crate) writes: bool,
    /// If it read one state: that one and the oldest that would have looked the same.
    pub(crate) states: Option<(Position, Position)>,
    /// For each statement that was run: what it saw, and the answers to what it left open.
    pub(crate) steps: Vec<(At, Vec<usize>)>,
}

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
    pub(crate) before: Vec<(At, Vec<usize>)>,
}

/// All attempts at one transaction in one world.
pub(crate) struct Attempt<'a, 'b> {
    pub(crate) context: &'b Context<'a>,
    pub(crate) world: &'b World,
    pub(crate) task: &'b Task,
    pub(crate) now: Position,
    snapshot: Position,
    /// The oldest state that it can read.
    lowest: Position,
    /// Ways that work.
    pub(crate) found: Vec<Explained>,
    /// Tries that went furthest.
    pub(crate) failed: Vec<Failed>,
    /// What was looked at in all tries.
    pub(crate) footprint: Footprint,
    /// What was looked at before statements that read in a state of their own.
    before: Vec<Footprint>,
}

/// The ways in which a transaction can take effect next in a world; for one that writes nothing, at
/// most one.
pub(crate) fn explain(
    context: &Context<'_>,
    world: &World,
    task: &Task,
) -> Result<Vec<Explained>, Unsupported> {
    Ok(attempt(context, world, task)?.found)
}

/// The same, with everything that is known about why there are no more.
pub(crate) fn attempt<'a, 'b>(
    context: &'b Context<'a>,
    world: &'b World,
    task: &'b Task,
) -> Result<Attempt<'a, 'b>, Unsupported> {
    let now = world.position(context.store);
    let mut attempt = Attempt {
        context,
        world,
        task,
        now,
        snapshot: now,
        lowest: now,
        found: Vec::new(),
        failed: Vec::new(),
        footprint: Footprint::default(),
        before: Vec::new(),
    };
    let level = context.options.level;
    if level.is_serial() {
        attempt.serial()?;
    } else if task.frames(level).any(|frame| frame == Frame::Snapshot) {
        attempt.snapshots()?;
    } else {
        attempt.go(0, &mut Path::new(task.serial))?;
    }
    Ok(attempt)
}

impl Attempt<'_, '_> {
    /// Whether one way is enough.
    pub(crate) fn is_done(&self) -> bool {
        match self.found.first() {
            Some(_) if !self.context.effort.full => true,
            // Who reads which state matters to those who begin later.
            Some(_) if self.context.options.level.snapshot_at_start() => false,
            Some(found) => found.writes.is_empty() && !self.task.may_or_may_not_write(),
            None => false,
        }
    }

    /// Goes on with a step.
    fn go(&mut self, step: usize, path: &mut Path) -> Result<(), Unsupported> {
        let kind = match self.task.steps.get(step) {
            None => {
                self.finish(path);
                return Ok(());
            }
            Some(Step::Savepoint(name)) => {
                let mut path = path.clone();
                path.save(name);
                return self.go(step + 1, &mut path);
            }
            Some(Step::RollbackTo(name)) => {
                let mut path = path.clone();
                path.roll_back(name);
                return self.go(step + 1, &mut path);
            }
            Some(Step::Run { kind, .. }) => *kind,
        };
        match self.context.options.level.frame(kind) {
            Frame::Newest | Frame::Snapshot => {
                self.try_at(step, path, &At::State(self.snapshot), kind).map(drop)
            }
            Frame::Statement => self.statement(step, path, kind),
        }
    }

    /// Carries out one step, in all ways that it leaves open, and goes on where it is explained.
    pub(crate) fn try_at(
        &mut self,
        step: usize,
        path: &mut Path,
        at: &At,
        kind: Kind,
    ) -> Result<bool, Unsupported> {
        let mut script = Script::default();
        let mut matched = false;
        for _ in 0..self.context.options.attempts.max(1) {
            let (ran, session) = self.run(step, path, at, &mut script)?;
            if ran.explains {
                matched = true;
                let known = self.task.end_of(step);
                let mark = path.mark();
                path.add(ran, session, at, &script, known);
                let gone_on = self.go(step + 1, path);
                path.back_to(mark);
                gone_on?;
                if kind != Kind::Write || self.is_done() {
                    return Ok(true);
                }
            }
            match script.next() {
                Some(next) => script = next,
                None => {
                    if !matched {
                        self.fail(step, path, at);
                    }
                    return Ok(matched);
                }
            }
        }
        self.context.notes.cut.set(true);
        Ok(matched)
    }

    /// The state in which keys have to be unique.
    fn newest(&self) -> Position {
        if self.context.options.level.is_serial() { self.snapshot } else { self.now }
    }

    /// Carries out one step in one way.
    pub(crate) fn run(
        &mut self,
        step: usize,
        path: &Path,
        at: &At,
        script: &mut Script,
    ) -> Result<(Ran, Session), Unsupported> {
        let (context, newest) = (self.context, self.newest());
        let mut session = path.session.clone();
        let moment = Moment { fresh: path.fresh, session: &mut session };
        context.notes.runs.set(context.notes.runs.get() + 1);
        context.notes.budget.check().map_err(|stop| Unsupported(stop.to_string()))?;
        let mut view = View {
            store: context.store,
            world: self.world,
            at,
            own: &path.own,
            footprint: &mut self.footprint,
            wanted: None,
            newest,
        };
        let ran = context.machine.run(self.task, step, &mut view, script, moment)?;
        if let Some(wanted) = view.wanted {
            context.notes.wanted.borrow_mut().push(wanted);
        }
        Ok((ran, session))
    }

    /// Notes a try that failed, if it came as far as any.
    fn fail(&mut self, step: usize, path: &Path, at: &At) {
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

    /// All steps are explained: is it allowed to take effect now?
    fn finish(&mut self, path: &Path) {
        let serial = self.context.options.level.is_serial();
        let writes = if self.task.only_reads { Vec::new() } else { path.own.to_writes() };
        if serial && !writes.is_empty() && self.snapshot != self.now {
            return;
        }
        if !writes.is_empty() && !self.may_write(&writes) {
            return;
        }
        let states = self.one_state().then(|| (self.snapshot, self.looks_same_from()));
        if self.is_known(&writes, &path.steps, states) {
            return;
        }
        let (position, steps) = (self.newest(), path.steps.clone());
        let explanation = Explanation { position, writes: !writes.is_empty(), states, steps };
        self.found.push(Explained { explanation, writes });
    }
    /// Whether the same was found already. If only in a later state, that way now reaches back to this one.
    fn is_known(
        &mut self,
        writes: &[Write],
        steps: &[(At, Vec<usize>)],
        states: Option<(Position, Position)>,
    ) -> bool {
        let turns = self.context.options.level.snapshot_at_start() && self.context.effort.full;
        for found in self.found.iter_mut().filter(|found| conflict::same(&found.writes, writes)) {
            let answers = |steps: &[(At, Vec<usize>)]| {
                steps.iter().map(|(_, answers)| answers.clone()).collect::<Vec<_>>()
            };
            match (&mut found.explanation.states, states) {
                (Some((_, oldest)), Some((state, from))) if turns => {
                    if *oldest <= from {
                        return true;
                    }
                    if state + 1 >= *oldest && answers(&found.explanation.steps) == answers(steps) {
                        *oldest = from;
                        return true;
                    }
                }
                _ => return true,
            }
        }
        false
    }
}
