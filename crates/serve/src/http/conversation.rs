//! One request, one answer, and a polite end.

use std::io::{self, Read};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use super::host::admit;
use super::request::{Reader, RequestError};
use super::{Method, Request, Response};

/// How long an answer may take to be taken.
const WRITE_TIME: Duration = Duration::from_secs(30);
/// How long the server reads from a client that still sends after the answer.
const GOODBYE: Duration = Duration::from_secs(2);

/// Reads a request, lets it be answered, and hangs up.
pub(crate) fn conversation(
    stream: TcpStream,
    most: usize,
    answer: impl FnOnce(&Request) -> Response,
) -> io::Result<()> {
    stream.set_write_timeout(Some(WRITE_TIME))?;
    let (response, method) = match request(&stream, most) {
        Ok(request) => (answer(&request), request.method),
        Err(RequestError::Refused(error)) => (Response::refused(&error), Method::Get),
        Err(RequestError::Gone) => return Ok(()),
    };
    response.write(&mut &stream, method == Method::Head)?;
    goodbye(&stream)
}

fn request(stream: &TcpStream, most: usize) -> Result<Request, RequestError> {
    let mut reader = Reader::new(stream);
    let mut request = reader.head()?;
    // A client that may not ask does not get to send a body.
    admit(&request)?;
    reader.body(&mut request, most)?;
    Ok(request)
}

/// Lets the other side take the answer: a connection that is closed while the client still sends
/// takes the answer along.
fn goodbye(stream: &TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    let until = Instant::now() + GOODBYE;
    let mut waste = vec![0; 64 * 1024];
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        stream.set_read_timeout(Some(left))?;
        match (&mut &*stream).read(&mut waste) {
            Ok(0) | Err(_) => return Ok(()),
            Ok(_) => {}
        }
    }
}
