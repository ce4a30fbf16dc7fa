//! The proxy: listens, and serves every client on threads of its own.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::connection::serve;
use crate::counts::Counts;
use crate::error::ProxyError;
use crate::keyvalue::{Table, TraceWriter};
use crate::log::{Header, LogStart, SqlLog};
use crate::probe::{Found, probe};
use crate::protocol::{Protocol, is_mariadb};
use crate::session::{Shared, UnwritableFile};

/// How long to wait when no connection can be taken, because too many are open.
const PAUSE: Duration = Duration::from_millis(50);
/// How long connections may take to end when the proxy does.
const FAREWELL: Duration = Duration::from_secs(5);
const SHORTLY: Duration = Duration::from_millis(5);

/// A proxy between clients and a server.
#[derive(Clone, Debug)]
pub struct Proxy {
    /// Where clients connect, as in `127.0.0.1:6432`; port 0 is any that is free.
    pub listen: String,
    /// Where the server is, as in `127.0.0.1:5432`.
    pub upstream: String,
    /// Which language is spoken; without it, the server is asked.
    pub protocol: Option<Protocol>,
    /// The log to write.
    pub log: PathBuf,
    /// The trace of keys and values to write, if any.
    pub trace: Option<PathBuf>,
    /// The tables that the trace is about.
    pub tables: Vec<Table>,
    /// The level of transactions that ask for none, for the reader of log and trace.
    pub level: Option<String>,
    /// How many rows of a statement are written down; others are counted.
    pub max_rows: u64,
    /// What the database begins with, as far as it is known.
    pub start: LogStart,
}

/// A proxy to which clients can connect.
#[derive(Debug)]
pub struct BoundProxy {
    listener: TcpListener,
    upstream: String,
    log: PathBuf,
    trace: Option<PathBuf>,
    shared: Shared,
}

impl Proxy {
    /// How many rows of a statement are written down, by default.
    pub const MAX_ROWS: u64 = 10_000;

    /// Starts to listen, after it has made sure that the server is there.
    ///
    /// # Errors
    /// When the address is taken, the server cannot be reached or speaks another language, or a
    /// file cannot be written.
    pub fn bind(self) -> Result<BoundProxy, ProxyError> {
        let address = self.listen.clone();
        let listener = TcpListener::bind(&self.listen)
            .map_err(|error| ProxyError::Listen { address, error })?;
        let shared = self.share(&self.ask_server()?)?;
        Ok(BoundProxy {
            listener,
            upstream: self.upstream,
            log: self.log,
            trace: self.trace,
            shared,
        })
    }

    /// Starts log and trace, and whatever else all connections share.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(crate) fn share(&self, found: &Found) -> Result<Shared, ProxyError> {
        let counts = Arc::new(Counts::default());
        let header = Header {
            protocol: found.protocol,
            server: found.version.as_deref(),
            upstream: &self.upstream,
            level: self.level.as_deref(),
            start: &self.start,
        };
        let log =
            SqlLog::create(&self.log, &header).map_err(|error| write_error(&self.log, error))?;
        Ok(Shared {
            protocol: found.protocol,
            log: Arc::new(log),
            keyvalues: self.start_trace(found, &counts)?,
            counts,
            connections: Arc::default(),
            max_rows: self.max_rows,
        })
    }

    /// Which language the server speaks, and that it is there.
    fn ask_server(&self) -> Result<Found, ProxyError> {
        let unreachable = |error| ProxyError::Upstream { address: self.upstream.clone(), error };
        let mut server = TcpStream::connect(&self.upstream).map_err(unreachable)?;
        if let Some(protocol) = self.protocol {
            return Ok(Found { protocol, version: None });
        }
        let found = probe(&mut server).map_err(unreachable)?;
        found.ok_or_else(|| ProxyError::Protocol(self.upstream.clone()))
    }

    fn start_trace(
        &self,
        found: &Found,
        counts: &Arc<Counts>,
    ) -> Result<Option<Arc<TraceWriter>>, ProxyError> {
        let Some(path) = &self.trace else { return Ok(None) };
        let name = match (found.protocol, found.version.as_deref()) {
            (Protocol::Postgres, _) => "PostgreSQL".to_owned(),
            (Protocol::MySql, None) => "MySQL or MariaDB".to_owned(),
            (Protocol::MySql, Some(version)) if is_mariadb(version) => {
                format!("MariaDB {version}")
            }
            (Protocol::MySql, Some(version)) => format!("MySQL {version}"),
        };
        let trace = TraceWriter::create(
            path,
            (found.protocol, &name),
            self.level.as_deref(),
            self.tables.clone(),
            Arc::clone(counts),
        );
        trace.map(|trace| Some(Arc::new(trace))).map_err(|error| write_error(path, error))
    }
}

fn write_error(path: &Path, error: io::Error) -> ProxyError {
    ProxyError::Write { path: path.to_owned(), error }
}

impl BoundProxy {
    /// Where clients connect.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Which language is spoken.
    pub fn protocol(&self) -> Protocol {
        self.shared.protocol
    }

    /// What the proxy has seen so far; it goes on counting.
    pub fn counts(&self) -> Arc<Counts> {
        Arc::clone(&self.shared.counts)
    }

    /// Serves clients until `stop` is set, or the log cannot be written any more. Then it ends all
    /// connections, whose ends are in the log, and returns.
    ///
    /// # Errors
    /// When the log or the trace cannot be written. Nothing is passed on from then on.
    pub fn run(self, stop: &AtomicBool) -> Result<(), ProxyError> {
        let address = self.local_addr().ok();
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    if stop.load(Ordering::Relaxed) {
                        wake(address);
                    }
                    thread::sleep(PAUSE);
                }
            });
            while !stop.load(Ordering::Relaxed) && self.shared.broken().is_none() {
                match self.listener.accept() {
                    Ok(_) if stop.load(Ordering::Relaxed) => break,
                    Ok((client, _)) => self.welcome(client, address),
                    Err(_) => thread::sleep(PAUSE),
                }
            }
            over.store(true, Ordering::Relaxed);
        });
        self.end()
    }

    /// Ends all connections.
    fn end(&self) -> Result<(), ProxyError> {
        self.shared.connections.shut();
        let until = Instant::now() + FAREWELL;
        while self.shared.counts.now().open > 0 && Instant::now() < until {
            thread::sleep(SHORTLY);
        }
        let path = match self.shared.broken() {
            None => return Ok(()),
            Some(UnwritableFile::Log) => &self.log,
            Some(UnwritableFile::Trace) => self.trace.as_ref().unwrap_or(&self.log),
        };
        Err(write_error(path, io::Error::other("the disk is full or unavailable")))
    }

    fn welcome(&self, client: TcpStream, own: Option<SocketAddr>) {
        let (upstream, shared) = (self.upstream.clone(), self.shared.clone());
        let counts = Arc::clone(&shared.counts);
        counts.connections.fetch_add(1, Ordering::Relaxed);
        counts.open.fetch_add(1, Ordering::Relaxed);
        let serve = move || {
            let counts = Arc::clone(&shared.counts);
            // Everything that a connection has to say is written when this returns.
            let served = serve(client, &upstream, &shared);
            counts.open.fetch_sub(1, Ordering::Relaxed);
            if served.is_err() && shared.broken().is_some() {
                wake(own);
            }
        };
        if thread::Builder::new().name("server".into()).spawn(serve).is_err() {
            // Without a thread the client finds its connection closed, and tries again.
            counts.open.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Wakes the thread that listens, so that it can see what happened.
fn wake(own: Option<SocketAddr>) {
    drop(own.map(TcpStream::connect));
}
