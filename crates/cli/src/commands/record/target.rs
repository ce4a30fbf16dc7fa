//! The database that is recorded, and what stands between it and its clients.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tristan_record::databases;
use tristan_record::faults::{Fault, Faults, Relay, Server};
use tristan_record::{Database, DatabaseLevel, Url};

use crate::args::FaultArgs;
use crate::exit::{CommandError, Exit, OrExit};
use crate::server::open;

/// A database at one of its levels.
pub(crate) struct Target {
    pub(crate) database: Arc<dyn Database>,
    pub(crate) level: DatabaseLevel,
    pub(crate) faults: Vec<Fault>,
    pub(crate) every: Duration,
    pub(crate) relay: Option<Relay>,
    pub(crate) server: Option<Server>,
}

impl Target {
    /// Opens a database, through a relay if its connections are to be cut.
    pub(crate) fn open(
        url: &Url,
        level: Option<&str>,
        faults: &FaultArgs,
    ) -> Result<Self, CommandError> {
        let server = server(faults)?;
        let relay = match faults.fault.contains(&Fault::Cut) {
            true => Some(relay(url)?),
            false => None,
        };
        let database = match &relay {
            Some(relay) => {
                let address = relay.address();
                open(&url.moved_to(&address.ip().to_string(), address.port()))?
            }
            None => open(url)?,
        };
        let level = level_of(database.as_ref(), level)?;
        let (faults, every) = (faults.fault.clone(), faults.fault_every);
        Ok(Self { database, level, faults, every, relay, server })
    }

    /// Breaks what is to be broken until told to stop; says how often.
    pub(super) fn break_things(&self, note: impl Fn(&str), stop: &AtomicBool) -> io::Result<u64> {
        let Self { faults, every, relay, server, .. } = self;
        if faults.is_empty() {
            return Ok(0);
        }
        let (relay, server) = (relay.as_ref(), server.as_ref());
        Faults { kinds: faults, every: *every, relay, server }.run(note, stop)
    }
}

/// A level of a database by its name there, or its default.
fn level_of(database: &dyn Database, name: Option<&str>) -> Result<DatabaseLevel, CommandError> {
    let levels = database.levels();
    let Some(name) = name else { return Ok(levels[0]) };
    levels.iter().copied().find(|level| level.name == name).ok_or_else(|| {
        let known: Vec<&str> = levels.iter().map(|level| level.name).collect();
        let message = format!(
            "found level \"{name}\", expected one of {}: {}",
            database.describe(),
            known.join(", ")
        );
        CommandError::new(Exit::Usage, message)
    })
}

fn server(faults: &FaultArgs) -> Result<Option<Server>, CommandError> {
    let needs = |message: &str| Err(CommandError::new(Exit::Usage, message.to_owned()));
    let server = faults
        .server_pid
        .clone()
        .map(|pid_file| Server { pid_file, restart: faults.restart.clone() });
    if faults.fault.iter().any(|fault| fault.needs_server()) && server.is_none() {
        return needs("to pause or kill the server, pass its pid file with --server-pid");
    }
    if faults.fault.contains(&Fault::Kill) && faults.restart.is_none() {
        return needs("to kill the server, pass a command that restarts it with --restart");
    }
    Ok(server)
}

fn relay(url: &Url) -> Result<Relay, CommandError> {
    let port = databases::port(url).ok_or_else(|| {
        let message = format!("{url}: this database has no connections to cut");
        CommandError::new(Exit::Usage, message)
    })?;
    Relay::start(url.host(), port).or_exit(Exit::MissingInput)
}
