//! Faults while a workload runs: what breaks in a data centre, on demand.
//!
//! ```text
//!   cut     every connection is closed, through a relay between clients and server
//!   pause   the server stands still for a moment (SIGSTOP, SIGCONT)
//!   kill    the server dies at once (SIGKILL) and is started again
//! ```
//!
//! Clients are told nothing; what they see goes into the trace, with a note of what was done.

mod relay;
mod server;

use std::fmt;
use std::io;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

pub use relay::Relay;
pub use server::Server;

/// Something that breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// All connections are closed.
    Cut,
    /// The server stands still for a moment.
    Pause,
    /// The server dies and is started again.
    Kill,
}

impl Fault {
    /// All kinds of faults.
    pub const ALL: [Self; 3] = [Self::Cut, Self::Pause, Self::Kill];

    /// The name that the command line takes and the trace notes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cut => "cut",
            Self::Pause => "pause",
            Self::Kill => "kill",
        }
    }

    /// Whether the server's process is needed for it.
    pub fn needs_server(self) -> bool {
        self != Self::Cut
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|fault| fault.name() == text);
        known.ok_or_else(|| format!("expected {}", Self::ALL.map(Self::name).join(", ")))
    }
}

/// Faults, one after the other.
#[derive(Debug)]
pub struct Faults<'a> {
    /// Which, in turn.
    pub kinds: &'a [Fault],
    /// How long things go well in between.
    pub every: Duration,
    /// What connections go through, if they are to be cut.
    pub relay: Option<&'a Relay>,
    /// The server, if it is to be paused or killed.
    pub server: Option<&'a Server>,
}

impl Faults<'_> {
    /// Breaks things until told to stop, with a note on each; says how often. The server is up at the
    /// end.
    ///
    /// # Errors
    /// If something cannot be broken, or not be mended again.
    pub fn run(&self, note: impl Fn(&str), stop: &AtomicBool) -> io::Result<u64> {
        let mut count = 0;
        for &fault in self.kinds.iter().cycle() {
            if !rest(self.every, stop) {
                break;
            }
            self.strike(fault, &note)?;
            count += 1;
        }
        Ok(count)
    }

    fn strike(&self, fault: Fault, note: &impl Fn(&str)) -> io::Result<()> {
        match (fault, self.relay, self.server) {
            (Fault::Cut, Some(relay), _) => {
                let cut = relay.cut();
                note(&format!("{cut} connections cut"));
                Ok(())
            }
            (Fault::Pause, _, Some(server)) => {
                note("server paused");
                server.pause()?;
                note("server resumed");
                Ok(())
            }
            (Fault::Kill, _, Some(server)) => {
                note("server killed");
                server.kill()?;
                server.restart()?;
                note("server restarted");
                Ok(())
            }
            _ => Err(io::Error::other(format!("nothing to {fault}"))),
        }
    }
}

/// Waits; false if told to stop meanwhile.
fn rest(time: Duration, stop: &AtomicBool) -> bool {
    let until = Instant::now() + time;
    while !stop.load(Ordering::Relaxed) {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        thread::sleep(left.min(Duration::from_millis(20)));
    }
    false
}
