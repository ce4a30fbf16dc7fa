//! The server: a fixed number of threads that each answer one request after the other.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tristan_check::budget::Limits;

use crate::ServeError;
use crate::folder::{Folder, Kind};
use crate::http::{HttpError, Response, conversation};
use crate::jobs::Jobs;
use crate::site::Site;

/// How many requests are answered at once.
const WORKERS: usize = 8;
/// How many traces are checked at once.
const CHECKERS: usize = 2;
/// How long to wait before the next try when no connection can be taken.
const PAUSE: Duration = Duration::from_millis(50);

/// What is to be served, and where.
#[derive(Clone, Debug)]
pub struct Serve {
    /// The folder with verdicts and traces.
    pub folder: PathBuf,
    /// The address to listen on.
    pub bind: IpAddr,
    /// The port; 0 is any that is free.
    pub port: u16,
    /// The largest trace that may be dropped, in bytes.
    pub upload: usize,
    /// What a check may use.
    pub limits: Limits,
}

/// A server that has its address and has looked through its folder.
#[derive(Debug)]
pub struct BoundServer {
    listener: TcpListener,
    address: SocketAddr,
    site: Arc<Site>,
}

impl Serve {
    /// Takes the address and looks through the folder.
    ///
    /// # Errors
    /// If the folder is not there or the address cannot be had.
    pub fn bind(&self) -> Result<BoundServer, ServeError> {
        let folder = Folder::open(&self.folder)
            .map_err(|error| ServeError::Folder { path: self.folder.clone(), error })?;
        let wanted = SocketAddr::new(self.bind, self.port);
        let listen = |error| ServeError::Listen { address: wanted.to_string(), error };
        let listener = TcpListener::bind(wanted).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let jobs = Jobs::new(self.limits);
        let site = Arc::new(Site::new(folder, jobs, self.upload));
        Ok(BoundServer { listener, address, site })
    }
}

impl BoundServer {
    /// The address of the page.
    pub fn url(&self) -> String {
        let ip = match self.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::from([127, 0, 0, 1]),
            IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]),
            ip => ip,
        };
        format!("http://{}/", SocketAddr::new(ip, self.address.port()))
    }

    /// Whether others than this machine can reach it.
    pub fn is_public(&self) -> bool {
        !self.address.ip().is_loopback()
    }

    /// How many verdicts and traces there are right now.
    pub fn found(&self) -> (usize, usize) {
        let entries = self.site.folder().entries();
        let traces = entries.iter().filter(|entry| matches!(entry.kind, Kind::Trace)).count();
        let verdicts =
            entries.iter().filter(|entry| matches!(entry.kind, Kind::Verdict(_) | Kind::Audit(_)));
        (verdicts.count(), traces)
    }

    /// Answers one request. Fuzz targets call this, because they bring connections of their own; all
    /// other callers use [`Self::run`].
    #[doc(hidden)]
    pub fn answer(&self, stream: TcpStream) {
        answer(&self.site, stream);
    }

    /// Answers until the process ends.
    ///
    /// # Errors
    /// If threads cannot be started.
    pub fn run(self) -> Result<(), ServeError> {
        let mut threads = Vec::new();
        for _ in 0..CHECKERS {
            let site = Arc::clone(&self.site);
            let work = move || site.jobs().work();
            threads.push(named("check", work)?);
        }
        let listener = Arc::new(self.listener);
        for _ in 0..WORKERS {
            let (site, listener) = (Arc::clone(&self.site), Arc::clone(&listener));
            let work = move || loop {
                match listener.accept() {
                    Ok((stream, _)) => answer(&site, stream),
                    // Too many open files, say: one of them will be closed.
                    Err(_) => thread::sleep(PAUSE),
                }
            };
            threads.push(named("answer", work)?);
        }
        for thread in threads {
            // A thread ends only if it panicked, and the others go on.
            let _ = thread.join();
        }
        Ok(())
    }
}

fn named<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<thread::JoinHandle<T>, ServeError> {
    thread::Builder::new().name(name.to_owned()).spawn(work).map_err(ServeError::Thread)
}

/// Answers one request. A client that hangs up early, or a bug of ours, does not affect the next request.
fn answer(site: &Site, stream: TcpStream) {
    let _: io::Result<()> = conversation(stream, site.upload(), |request| {
        let answered = panic::catch_unwind(AssertUnwindSafe(|| site.answer(request)));
        answered.unwrap_or_else(|_| {
            let told = "This is a bug in tristan; see the terminal for details.";
            Response::refused(&HttpError::new(500, told))
        })
    });
}
