//! One client and its server: two threads, each of which passes bytes one way.
//!
//! ```text
//!   client ──► read ──► decode ──► log ──► write ──► server
//!   client ◄── write ◄── log ◄── decode ◄── read ◄── server
//! ```
//!
//! If the client goes away, what the server has yet to answer is still written down. If bytes make no
//! sense, they are passed on all the same, nothing more of this connection is written down, and log and
//! trace say so.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::decoder::Decoder;
use crate::framer::FrameError;
use crate::mysql::{MySql, greeting};
use crate::postgres::Postgres;
use crate::postgres::startup::{self, Start};
use crate::protocol::Protocol;
use crate::session::{Session, Shared};

const BUFFER: usize = 32 << 10;
/// No greeting of a server is longer.
const LONGEST_GREETING: usize = 4 << 10;
/// How long, and how much, a client that is sent away may still talk.
const FAREWELL: Duration = Duration::from_secs(1);
const LONGEST_FAREWELL: u64 = 64 << 10;

/// Serves one client until it goes away.
pub(crate) fn serve(client: TcpStream, upstream: &str, shared: &Shared) -> io::Result<()> {
    client.set_nodelay(true)?;
    match shared.protocol {
        Protocol::Postgres => serve_postgres(client, upstream, shared),
        Protocol::MySql => serve_mysql(client, upstream, shared),
    }
}

fn serve_postgres(mut client: TcpStream, upstream: &str, shared: &Shared) -> io::Result<()> {
    let first = match startup::start(&mut client)? {
        Ok(Start::With(first)) => first,
        Ok(Start::Gone) => return Ok(()),
        Err(FrameError) => {
            let mut session = session(&client, shared, None);
            session.note("a client required encryption and was rejected");
            return session.hand_over();
        }
    };
    let mut server = match connect(upstream) {
        Ok(server) => server,
        Err(error) => {
            return refuse(client, shared, &startup::refusal(&reason(upstream, &error)), &error);
        }
    };
    let wire = Wire::new(Box::new(Postgres::new(session(&client, shared, None))));
    wire.heard(&first, Side::Client)?;
    server.write_all(&first)?;
    let _open = shared.connections.add(&client, &server)?;
    wire.run(client, server)
}

fn serve_mysql(mut client: TcpStream, upstream: &str, shared: &Shared) -> io::Result<()> {
    let mut server = match connect(upstream) {
        Ok(server) => server,
        Err(error) => {
            return refuse(client, shared, &greeting::refusal(&reason(upstream, &error)), &error);
        }
    };
    let mut head = [0; 4];
    server.read_exact(&mut head)?;
    let length = u32::from_le_bytes([head[0], head[1], head[2], 0]) as usize;
    if length > LONGEST_GREETING {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "the server's greeting is too long",
        ));
    }
    let mut body = vec![0; length];
    server.read_exact(&mut body)?;
    let version = greeting::strip(&mut body);
    client.write_all(&head)?;
    client.write_all(&body)?;
    let session = session(&client, shared, version.as_deref());
    let wire = Wire::new(Box::new(MySql::new(session, version)));
    let _open = shared.connections.add(&client, &server)?;
    wire.run(client, server)
}

fn session(client: &TcpStream, shared: &Shared, version: Option<&str>) -> Session {
    let address =
        client.peer_addr().map_or_else(|_| "unknown".to_owned(), |address| address.to_string());
    Session::new(shared.clone(), address, version)
}

fn connect(upstream: &str) -> io::Result<TcpStream> {
    let server = TcpStream::connect(upstream)?;
    server.set_nodelay(true)?;
    Ok(server)
}

fn reason(upstream: &str, error: &io::Error) -> String {
    format!("tristan proxy cannot reach the server at {upstream}: {error}")
}

fn refuse(
    mut client: TcpStream,
    shared: &Shared,
    answer: &[u8],
    error: &io::Error,
) -> io::Result<()> {
    let mut session = session(&client, shared, None);
    session.note(&format!("the server could not be reached: {error}"));
    session.hand_over()?;
    client.write_all(answer)?;
    client.shutdown(Shutdown::Write)?;
    // If something was left unread, the client would see a broken connection instead of the answer.
    client.set_read_timeout(Some(FAREWELL))?;
    io::copy(&mut client.take(LONGEST_FAREWELL), &mut io::sink()).map(drop)
}

/// The side that sent some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The application.
    Client,
    /// The database.
    Server,
}

/// What both threads share.
pub(crate) struct Wire {
    decoder: Mutex<Listener>,
}

struct Listener {
    decoder: Box<dyn Decoder>,
    /// Whether what is said makes sense.
    listens: bool,
    /// Whether the server has gone.
    over: bool,
}

impl Wire {
    pub(crate) fn new(decoder: Box<dyn Decoder>) -> Self {
        Self { decoder: Mutex::new(Listener { decoder, listens: true, over: false }) }
    }

    fn lock(&self) -> MutexGuard<'_, Listener> {
        self.decoder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Listens to bytes that are about to be passed on.
    pub(crate) fn heard(&self, bytes: &[u8], side: Side) -> io::Result<()> {
        let mut listener = self.lock();
        if !listener.listens {
            return Ok(());
        }
        let understood = match side {
            Side::Client => listener.decoder.client_said(bytes),
            Side::Server => listener.decoder.server_said(bytes),
        };
        if understood.is_err() {
            listener.listens = false;
            listener.decoder.drop_waiting();
            let whose = if side == Side::Client { "client" } else { "server" };
            let can_write = listener.decoder.can_write();
            listener.decoder.session().give_up(whose, can_write);
        }
        listener.decoder.session().hand_over()
    }

    /// Passes bytes both ways until both sides have gone.
    fn run(&self, client: TcpStream, server: TcpStream) -> io::Result<()> {
        let (client_reads, server_reads) = (client.try_clone()?, server.try_clone()?);
        thread::scope(|scope| {
            let up = thread::Builder::new()
                .name("client".into())
                .spawn_scoped(scope, || self.pass_up(client_reads, &server));
            if let Err(error) = up {
                shut(&client, &server);
                return Err(error);
            }
            let passed = self.pass_down(server_reads, &client);
            self.lock().over = true;
            shut(&client, &server);
            passed
        })?;
        self.closed()
    }

    fn pass_up(&self, mut client: TcpStream, mut server: &TcpStream) {
        let mut buffer = vec![0; BUFFER];
        loop {
            match client.read(&mut buffer) {
                Ok(count) if count > 0 => {
                    if self.heard(&buffer[..count], Side::Client).is_err() {
                        return shut(&client, server);
                    }
                    if server.write_all(&buffer[..count]).is_err() {
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // The server ends what it is doing, and then it goes too.
                _ => {
                    let mut listener = self.lock();
                    if !listener.over {
                        listener.decoder.session().leaves();
                    }
                    return drop(server.shutdown(Shutdown::Write));
                }
            }
        }
    }

    fn pass_down(&self, mut server: TcpStream, mut client: &TcpStream) -> io::Result<()> {
        let mut buffer = vec![0; BUFFER];
        let mut there = true;
        loop {
            match server.read(&mut buffer) {
                Ok(count) if count > 0 => {
                    self.heard(&buffer[..count], Side::Server)?;
                    there = there && client.write_all(&buffer[..count]).is_ok();
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                _ => return Ok(()),
            }
        }
    }

    /// The server has gone, and so has everything that it did not answer.
    pub(crate) fn closed(&self) -> io::Result<()> {
        let mut listener = self.lock();
        if listener.listens {
            listener.listens = false;
            listener.decoder.drop_waiting();
            listener.decoder.session().close();
        }
        listener.decoder.session().hand_over()
    }
}

/// Closes both sides, so that neither waits for the other any longer.
fn shut(client: &TcpStream, server: &TcpStream) {
    for side in [client, server] {
        // A side that is gone already need not be closed.
        let _ = side.shutdown(Shutdown::Both);
    }
}
