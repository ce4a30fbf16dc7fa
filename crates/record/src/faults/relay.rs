//! A relay between clients and a server, whose connections can be cut.
//!
//! ```text
//!   client ◄──► relay ◄──► server
//! ```

use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// A relay that listens on a port of its own.
#[derive(Debug)]
pub struct Relay {
    address: SocketAddr,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Relay {
    /// Starts to pass on connections to a server.
    ///
    /// # Errors
    /// If there is no port to listen on.
    pub fn start(host: &str, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let open = Arc::new(Mutex::new(Vec::new()));
        let (host, streams) = (host.to_owned(), Arc::clone(&open));
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                // A client whose server cannot be reached finds its connection closed.
                let _ = pass_on(client, &host, port, &streams);
            }
        });
        Ok(Self { address, open })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Closes all connections; says how many.
    pub fn cut(&self) -> usize {
        let streams =
            std::mem::take(&mut *self.open.lock().unwrap_or_else(PoisonError::into_inner));
        streams.iter().filter(|stream| stream.shutdown(Shutdown::Both).is_ok()).count()
    }
}

fn pass_on(
    client: TcpStream,
    host: &str,
    port: u16,
    open: &Mutex<Vec<TcpStream>>,
) -> io::Result<()> {
    let server = TcpStream::connect((host, port))?;
    for stream in [&client, &server] {
        stream.set_nodelay(true)?;
    }
    open.lock().unwrap_or_else(PoisonError::into_inner).push(client.try_clone()?);
    for (from, to) in [(client.try_clone()?, server.try_clone()?), (server, client)] {
        thread::spawn(move || copy(from, to));
    }
    Ok(())
}

/// Passes on bytes until one side is closed, and then closes the other.
fn copy(mut from: TcpStream, mut to: TcpStream) {
    // Whether it was cut or ended well makes no difference to the other side.
    let _ = io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}
