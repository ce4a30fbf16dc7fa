//! The protocol of MySQL and MariaDB.
//!
//! ```text
//!   server ──► greeting                 client ──► who it is       server ──► OK
//!   client ──► command ──► queue        server ──► OK | ERR | columns, EOF, rows, EOF
//! ```
//!
//! The server speaks first. Later it answers one command after the other. Every answer tells whether a
//! transaction is open, except an error.

mod client;
pub(crate) mod greeting;
mod prepared;
mod server;
mod types;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use crate::decoder::Decoder;
use crate::ending::Ending;
use crate::framer::{FrameError, Framer, Shape};
use crate::result::Column;
use crate::session::{Batch, Greeting, Session, Statement};
use prepared::{Ahead, Prepared};

/// What the server has yet to answer.
#[derive(Debug)]
enum Command {
    /// Statements; `binary` says how rows are sent.
    Run {
        parts: VecDeque<Running>,
        binary: bool,
        prepared: Option<Arc<Prepared>>,
    },
    Prepare(Arc<Prepared>),
    /// Definitions of columns, which are not needed here.
    Fields,
    /// Another user logs in.
    Login,
    /// Everything begins anew.
    Reset,
    /// Something with a short answer.
    Other,
}

/// A statement that was called.
#[derive(Debug)]
struct Running {
    statement: Statement,
    batch: Batch,
    /// Whether it calls a procedure, which may return many results.
    procedure: bool,
}

/// How much of the answer to the first command came.
#[derive(Debug, Default)]
enum Progress {
    #[default]
    Nothing,
    /// So many definitions of columns have yet to come, and then an end.
    Columns(u64, Vec<Column>),
    /// Rows follow.
    Rows,
    /// This many packets have yet to come; they are not needed here.
    Definitions(u64),
}

/// A connection that speaks MySQL's protocol.
pub(crate) struct MySql {
    session: Session,
    from_client: Framer,
    from_server: Framer,
    greeting: Greeting,
    /// What the client can do, once it has told.
    can: Option<u32>,
    /// Whether the server has let it in.
    ready: bool,
    /// Whether the client is sending a file.
    sends_file: bool,
    waiting: VecDeque<Command>,
    progress: Progress,
    statements: HashMap<u32, (Arc<Prepared>, Ahead)>,
    last_prepared: Option<Arc<Prepared>>,
}

impl MySql {
    /// A connection whose greeting was read already.
    pub(crate) fn new(session: Session, version: Option<String>) -> Self {
        Self {
            session,
            from_client: Framer::default(),
            from_server: Framer::default(),
            greeting: Greeting { server: version, ..Greeting::default() },
            can: None,
            ready: false,
            sends_file: false,
            waiting: VecDeque::new(),
            progress: Progress::Nothing,
            statements: HashMap::new(),
            last_prepared: None,
        }
    }
}

impl Decoder for MySql {
    fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    fn client_said(&mut self, mut bytes: &[u8]) -> Result<(), FrameError> {
        let mut framer = std::mem::take(&mut self.from_client);
        while let Some(frame) = framer.next(&mut bytes, Shape::MySql)? {
            self.client_packet(frame).ok_or(FrameError)?;
        }
        self.from_client = framer;
        Ok(())
    }

    fn server_said(&mut self, mut bytes: &[u8]) -> Result<(), FrameError> {
        let mut framer = std::mem::take(&mut self.from_server);
        while let Some(frame) = framer.next(&mut bytes, Shape::MySql)? {
            self.server_packet(frame).ok_or(FrameError)?;
        }
        self.from_server = framer;
        Ok(())
    }

    fn can_write(&self) -> bool {
        true
    }

    fn drop_waiting(&mut self) {
        for command in std::mem::take(&mut self.waiting) {
            let Command::Run { parts, .. } = command else { continue };
            for Running { statement, .. } in parts {
                let txn = statement.txn;
                self.session.end(statement, txn, &Ending::Lost);
            }
        }
    }
}
