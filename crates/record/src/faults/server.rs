//! The process of a server, by its pid file.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// How long a pause is.
const PAUSE: Duration = Duration::from_millis(500);
/// How long a dead process may stay in the table of processes.
const DYING: Duration = Duration::from_secs(10);

/// A server's process, and how to start it again.
#[derive(Clone, Debug)]
pub struct Server {
    /// A file whose first line is the number of the process.
    pub pid_file: PathBuf,
    /// A shell command that starts the server and returns when it is up.
    pub restart: Option<String>,
}

impl Server {
    /// Stands still for a moment, then goes on.
    pub(super) fn pause(&self) -> io::Result<()> {
        let pid = self.pid()?;
        signal("STOP", pid)?;
        thread::sleep(PAUSE);
        signal("CONT", pid)
    }

    /// Dies without a chance to tidy up.
    pub(super) fn kill(&self) -> io::Result<()> {
        let pid = self.pid()?;
        signal("KILL", pid)?;
        let give_up = Instant::now() + DYING;
        while is_alive(pid) && Instant::now() < give_up {
            thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    /// Is started again.
    pub(super) fn restart(&self) -> io::Result<()> {
        let Some(command) = &self.restart else {
            return Err(io::Error::other("no command to restart the server was given"));
        };
        let status = Command::new("sh").arg("-c").arg(command).status()?;
        match status.success() {
            true => Ok(()),
            false => Err(io::Error::other(format!("`{command}` failed: {status}"))),
        }
    }

    fn pid(&self) -> io::Result<u32> {
        let name = self.pid_file.display();
        let text = fs::read_to_string(&self.pid_file)
            .map_err(|error| io::Error::new(error.kind(), format!("{name}: {error}")))?;
        let first = text.lines().next().unwrap_or_default().trim();
        let wrong = || format!("{name}: found \"{first}\", expected the number of a process");
        first.parse().map_err(|_| io::Error::other(wrong()))
    }
}

fn signal(name: &str, pid: u32) -> io::Result<()> {
    let status = Command::new("kill").arg(format!("-{name}")).arg(pid.to_string()).status()?;
    match status.success() {
        true => Ok(()),
        false => Err(io::Error::other(format!("process {pid} cannot be sent {name}"))),
    }
}

/// Whether a process is there and has not ended; one whose parent has not waited for it counts as ended.
fn is_alive(pid: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = status.rsplit(") ").next().and_then(|rest| rest.chars().next());
    state.is_some_and(|state| state != 'Z')
}
