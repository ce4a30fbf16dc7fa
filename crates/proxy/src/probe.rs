//! Finds out which language a server speaks.
//!
//! MySQL's servers speak first. PostgreSQL's wait; asked for encryption, they answer with one letter.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::mysql::greeting;
use crate::protocol::Protocol;

/// How long a server may take to speak first.
const GREETING: Duration = Duration::from_millis(200);
/// How long it may take to say anything at all.
const PATIENCE: Duration = Duration::from_secs(10);
/// `SSLRequest`
const QUESTION: [u8; 8] = [0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f];

/// What a server is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) protocol: Protocol,
    /// Its version, if it sends it before the login.
    pub(crate) version: Option<String>,
}

/// Asks a server; `None` if its answer makes no sense.
pub(crate) fn probe(server: &mut TcpStream) -> io::Result<Option<Found>> {
    let mut said = hear(server, GREETING)?;
    if said.is_empty() {
        server.write_all(&QUESTION)?;
        said = hear(server, PATIENCE)?;
    }
    Ok(recognise(&said))
}

/// What the server says until it pauses.
fn hear(server: &mut TcpStream, patience: Duration) -> io::Result<Vec<u8>> {
    let mut said = Vec::new();
    let until = Instant::now() + patience;
    let mut buffer = [0; 1024];
    server.set_read_timeout(Some(patience))?;
    while Instant::now() < until && said.len() < buffer.len() {
        match server.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => {
                said.extend_from_slice(&buffer[..count]);
                server.set_read_timeout(Some(Duration::from_millis(20)))?;
            }
            Err(error) if is_pause(&error) => break,
            Err(error) => return Err(error),
        }
    }
    server.set_read_timeout(None)?;
    Ok(said)
}

fn is_pause(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

fn recognise(said: &[u8]) -> Option<Found> {
    match said {
        [b'S' | b'N'] | [b'E', 0, ..] => {
            Some(Found { protocol: Protocol::Postgres, version: None })
        }
        [_, _, 0, 0, rest @ ..] => {
            let version = greeting::strip(&mut rest.to_vec());
            let known = version.is_some() || rest.first() == Some(&0xff);
            known.then_some(Found { protocol: Protocol::MySql, version })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_told_apart() {
        let protocol = |said: &[u8]| recognise(said).map(|found| found.protocol);
        assert_eq!(protocol(b"N"), Some(Protocol::Postgres));
        assert_eq!(protocol(b"S"), Some(Protocol::Postgres));
        assert_eq!(protocol(&[9, 0, 0, 0, 0xff, 0x10, 4, b'T', b'o', b'o']), Some(Protocol::MySql));
        let mut greeting = vec![40, 0, 0, 0, 10];
        greeting.extend(b"8.4.0\0\x07\0\0\0abcdefgh\0\xff\xff\x2d\x02\0\xff\xff\x15");
        let found = recognise(&greeting).expect("a server");
        assert_eq!((found.protocol, found.version.as_deref()), (Protocol::MySql, Some("8.4.0")));
        assert_eq!(protocol(b"HTTP/1.1 400 Bad Request"), None);
        assert_eq!(protocol(b""), None);
    }
}
