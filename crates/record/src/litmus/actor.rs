//! One session: a thread that does what it is told and reports what it was answered.

use std::collections::VecDeque;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use crate::DatabaseError;
use crate::sql::{SqlClient, StatementResult};

/// What an actor's connection answered.
pub(super) struct Reply {
    /// Which actor.
    pub(super) actor: usize,
    /// The answer to the last statement, or to the first that failed.
    pub(super) result: Result<StatementResult, DatabaseError>,
}

/// What an actor is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// A step of the case, by its number.
    Step(usize),
    /// The rollback after something was refused.
    CleanUp,
}

/// What became of an actor's transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// Not begun yet.
    Waiting,
    Open,
    Committed,
    /// As the case wanted it.
    RolledBack,
    /// The database refused it.
    Refused,
}

/// A session of a case.
pub(super) struct Actor {
    pub(super) name: String,
    /// The connection's number.
    pub(super) id: u64,
    /// Steps whose turn has come, while an earlier one has no answer yet.
    pub(super) queue: VecDeque<usize>,
    pub(super) work: Option<Work>,
    pub(super) fate: Fate,
    orders: Sender<Vec<String>>,
    thread: JoinHandle<()>,
}

impl Actor {
    /// Starts a session on a connection of its own.
    pub(super) fn new(
        number: usize,
        name: &str,
        mut client: Box<dyn SqlClient>,
        replies: Sender<Reply>,
    ) -> Self {
        let id = client.id();
        let (orders, inbox) = mpsc::channel::<Vec<String>>();
        let thread = thread::spawn(move || {
            while let Ok(statements) = inbox.recv() {
                let result = perform(client.as_mut(), &statements);
                if replies.send(Reply { actor: number, result }).is_err() {
                    return;
                }
            }
        });
        let (queue, work, fate) = (VecDeque::new(), None, Fate::Waiting);
        Self { name: name.to_owned(), id, queue, work, fate, orders, thread }
    }

    /// Sends statements, one of which may take its time.
    pub(super) fn start(
        &mut self,
        work: Work,
        statements: Vec<String>,
    ) -> Result<(), DatabaseError> {
        self.work = Some(work);
        let gone = |_| DatabaseError::Lost(format!("session {} has ended", self.name));
        self.orders.send(statements).map_err(gone)
    }

    /// Whether it holds locks without waiting for anything but its next step.
    pub(super) fn is_holding(&self) -> bool {
        self.work.is_none() && self.fate == Fate::Open
    }

    /// Closes the connection.
    pub(super) fn close(self) {
        drop(self.orders);
        // A thread that panicked has nothing more to tell.
        let _ = self.thread.join();
    }
}

fn perform(
    client: &mut dyn SqlClient,
    statements: &[String],
) -> Result<StatementResult, DatabaseError> {
    let mut last = StatementResult::default();
    for statement in statements {
        last = client.execute(statement)?;
    }
    Ok(last)
}
