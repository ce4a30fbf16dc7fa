//! PostgreSQL's protocol, version 3.
//!
//! ```text
//!   client ──► Query, Parse, Bind, Execute, Sync, … ──► queue of what will be answered
//!   server ──► RowDescription, DataRow, CommandComplete, ReadyForQuery, … ──► first of the queue
//! ```
//!
//! The server answers in order, so what it says is always about the first in the queue. After an error in
//! a message that is no `Query` it skips everything up to the next `Sync`, whether that was sent before
//! the error or comes later (`skips`). What it skips has no answer, so it never enters the queue.

mod binary;
mod client;
mod names;
mod prepared;
mod server;
pub(crate) mod startup;
mod types;

use std::collections::VecDeque;
use std::sync::Arc;

use crate::decoder::Decoder;
use crate::ending::Ending;
use crate::framer::{FrameError, Framer, Shape};
use crate::session::{Batch, Greeting, Session, Statement};
use names::Names;
use prepared::{Portal, Prepared};

/// What the server has yet to answer.
#[derive(Debug)]
enum Waiting {
    /// A statement of a `Query`; `formats` says which columns of its result are sent as bytes.
    Part {
        statement: Box<Statement>,
        formats: Vec<i16>,
    },
    /// The end of a `Query`.
    QueryEnd(Batch),
    Parse(String, Arc<Prepared>),
    Bind(String, Arc<Portal>),
    DescribeStatement(Arc<Prepared>),
    DescribePortal(Arc<Portal>),
    CloseStatement(String),
    ClosePortal(String),
    /// `copies` says that the client has the word until the copy is done.
    Execute {
        statement: Box<Statement>,
        portal: Arc<Portal>,
        copies: bool,
    },
    Sync(Batch),
    /// The old way to call a function.
    Function,
}

impl Waiting {
    fn ends_batch(&self) -> bool {
        matches!(self, Self::QueryEnd(_) | Self::Sync(_) | Self::Function)
    }

    fn into_statement(self) -> Option<Statement> {
        match self {
            Self::Part { statement, .. } | Self::Execute { statement, .. } => Some(*statement),
            _ => None,
        }
    }
}

/// A connection that speaks PostgreSQL's protocol.
pub(crate) struct Postgres {
    session: Session,
    from_client: Framer,
    from_server: Framer,
    /// Whether the client has said who it is.
    started: bool,
    /// Whether the server has let it in.
    ready: bool,
    greeting: Greeting,
    waiting: VecDeque<Waiting>,
    /// Whether the server skips what the client says, up to the next `Sync`.
    skips: bool,
    names: Names,
}

impl Postgres {
    pub(crate) fn new(session: Session) -> Self {
        Self {
            session,
            from_client: Framer::default(),
            from_server: Framer::default(),
            started: false,
            ready: false,
            greeting: Greeting::default(),
            waiting: VecDeque::new(),
            skips: false,
            names: Names::default(),
        }
    }
}

impl Decoder for Postgres {
    fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    fn client_said(&mut self, mut bytes: &[u8]) -> Result<(), FrameError> {
        let mut framer = std::mem::take(&mut self.from_client);
        let mut shape = if self.started { Shape::Postgres } else { Shape::Startup };
        while let Some(frame) = framer.next(&mut bytes, shape)? {
            match shape {
                Shape::Postgres => self.client_message(frame).ok_or(FrameError)?,
                _ => self.start(frame),
            }
            shape = Shape::Postgres;
        }
        self.from_client = framer;
        Ok(())
    }

    fn server_said(&mut self, mut bytes: &[u8]) -> Result<(), FrameError> {
        let mut framer = std::mem::take(&mut self.from_server);
        while let Some(frame) = framer.next(&mut bytes, Shape::Postgres)? {
            self.server_message(frame).ok_or(FrameError)?;
        }
        self.from_server = framer;
        Ok(())
    }

    fn can_write(&self) -> bool {
        // Without a first message that can be read, a server hangs up.
        self.started
    }

    fn drop_waiting(&mut self) {
        for statement in
            std::mem::take(&mut self.waiting).into_iter().filter_map(Waiting::into_statement)
        {
            let txn = statement.txn;
            self.session.end(statement, txn, &Ending::Lost);
        }
    }
}
