//! Checks that users have asked for: a line of those that wait, a few that run, and the last that
//! are done.
//!
//! ```text
//!   ask ──► waiting ──► running (stage, how far) ──► done: verdicts, or why there are none
//! ```
//!
//! Everything is in memory and has an end: a full queue takes no more checks, and of those that are done
//! the oldest are forgotten.

mod judge;

use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use tristan_check::budget::Limits;
use tristan_check::{Observer, Place, Progress};
use tristan_verdict::Verdict;

pub(crate) use judge::{Question, Source};

/// How many may wait.
const MOST_WAITING: usize = 8;
/// How many are remembered after they are done.
const MOST_DONE: usize = 24;

/// All checks: those that wait, run, or are done.
#[derive(Debug)]
pub(crate) struct Jobs {
    limits: Limits,
    board: Mutex<Board>,
    /// Signals that a check waits.
    wake: Condvar,
}

#[derive(Debug, Default)]
struct Board {
    given: u64,
    waiting: VecDeque<(u64, Question)>,
    jobs: VecDeque<Job>,
}

/// A check that a user has asked for.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    id: u64,
    /// The name of the trace that is checked.
    pub(crate) trace: String,
    /// The level, or nothing for every level.
    pub(crate) level: Option<String>,
    pub(crate) state: State,
}

/// How far a check is.
#[derive(Clone, Debug)]
pub(crate) enum State {
    /// So many are before it.
    Waiting(usize),
    /// The stage it is in, and how much of how much is done; a total of 0 is unknown.
    Running(&'static str, u64, u64),
    /// What came out.
    Done(Arc<Vec<Verdict>>),
    /// Why nothing came out.
    Failed(String),
}

impl Jobs {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, board: Mutex::default(), wake: Condvar::new() }
    }

    /// Takes a question in; `None` if too many wait.
    pub(crate) fn ask(&self, question: Question) -> Option<u64> {
        let mut board = self.board();
        if board.waiting.len() >= MOST_WAITING {
            return None;
        }
        board.given += 1;
        let id = board.given;
        let (trace, level) = (question.source.name().to_owned(), question.level.clone());
        board.jobs.push_back(Job { id, trace, level, state: State::Waiting(0) });
        board.waiting.push_back((id, question));
        board.forget();
        drop(board);
        self.wake.notify_one();
        Some(id)
    }

    /// A check, if it is still remembered.
    pub(crate) fn find(&self, id: u64) -> Option<Job> {
        let board = self.board();
        let mut job = board.jobs.iter().find(|job| job.id == id)?.clone();
        if let State::Waiting(before) = &mut job.state {
            *before = board.waiting.iter().take_while(|(other, _)| *other != id).count();
        }
        Some(job)
    }

    /// Works until the process ends.
    pub(crate) fn work(&self) {
        loop {
            let (id, question) = self.next();
            let watcher = Watcher { jobs: self, id };
            let judged = panic::catch_unwind(AssertUnwindSafe(|| {
                judge::judge(&question, &self.limits, &watcher)
            }));
            let state = match judged {
                Ok(Ok(verdicts)) => State::Done(Arc::new(verdicts)),
                Ok(Err(why)) => State::Failed(why),
                Err(_) => State::Failed(
                    "this is a bug in tristan; see the terminal for details".to_owned(),
                ),
            };
            self.set(id, state);
        }
    }

    fn next(&self) -> (u64, Question) {
        let mut board = self.board();
        loop {
            if let Some(next) = board.waiting.pop_front() {
                return next;
            }
            board = self.wake.wait(board).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn set(&self, id: u64, state: State) {
        if let Some(job) = self.board().jobs.iter_mut().find(|job| job.id == id) {
            job.state = state;
        }
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Board {
    /// Forgets the oldest of those that are done.
    fn forget(&mut self) {
        let is_done = |job: &Job| matches!(job.state, State::Done(_) | State::Failed(_));
        while self.jobs.iter().filter(|job| is_done(job)).count() > MOST_DONE {
            let Some(oldest) = self.jobs.iter().position(is_done) else { return };
            self.jobs.remove(oldest);
        }
    }
}

/// Writes down how far a check is.
struct Watcher<'j> {
    jobs: &'j Jobs,
    id: u64,
}

impl Watcher<'_> {
    fn note(&self, stage: &'static str, done: u64, total: u64) {
        let mut board = self.jobs.board();
        let Some(job) = board.jobs.iter_mut().find(|job| job.id == self.id) else { return };
        job.state = State::Running(stage, done, total);
    }
}

impl Observer for Watcher<'_> {}

impl Progress for Watcher<'_> {
    fn stage(&self, name: &'static str) {
        self.note(name, 0, 0);
    }

    fn progress(&self, place: &Place) {
        self.note(place.stage, place.done, place.total);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question() -> Question {
        let trace = b"{\"s\":1,\"st\":\"c\",\"ops\":[[\"w\",\"x\",1]]}\n".to_vec();
        Question { source: Source::Dropped("t".to_owned(), trace), level: Some("si".to_owned()) }
    }

    #[test]
    fn a_full_line_takes_nobody_in() {
        let jobs = Jobs::new(Limits::default());
        for number in 1..=MOST_WAITING {
            assert_eq!(jobs.ask(question()), Some(number as u64));
        }
        assert_eq!(jobs.ask(question()), None);
        let last = jobs.find(MOST_WAITING as u64).expect("it waits");
        assert!(matches!(last.state, State::Waiting(before) if before == MOST_WAITING - 1));
        assert!(jobs.find(99).is_none());
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let jobs = Jobs::new(Limits::default());
        for _ in 0..MOST_DONE + 5 {
            let id = jobs.ask(question()).expect("there is room");
            jobs.next();
            jobs.set(id, State::Failed(String::new()));
        }
        jobs.ask(question());
        let left = (1..99).filter(|&id| jobs.find(id).is_some()).count();
        assert_eq!(left, MOST_DONE + 1);
        assert!(jobs.find(5).is_none() && jobs.find(6).is_some());
    }
}
