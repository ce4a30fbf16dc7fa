//! What comes before the first real message: clients ask for encryption and are told no.

use std::io::{self, Read, Write};

use crate::framer::FrameError;

const SSL_REQUEST: u32 = 80_877_103;
const GSS_REQUEST: u32 = 80_877_104;
/// The first byte of a client that starts with encryption without asking.
const TLS: u8 = 0x16;
/// No client needs to ask more often.
const MOST_REQUESTS: usize = 8;

/// How a connection starts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// With these bytes, which have yet to be passed on.
    With([u8; 8]),
    /// Not at all: the client has gone, or speaks only in secret.
    Gone,
}

/// Reads the first eight bytes of the first real message.
pub(crate) fn start(client: &mut (impl Read + Write)) -> io::Result<Result<Start, FrameError>> {
    for _ in 0..MOST_REQUESTS {
        let mut bytes = [0; 8];
        if let Err(error) = client.read_exact(&mut bytes) {
            return match error.kind() {
                io::ErrorKind::UnexpectedEof => Ok(Ok(Start::Gone)),
                _ => Err(error),
            };
        }
        let [_, _, _, length, code @ ..] = bytes;
        let asks = matches!(u32::from_be_bytes(code), SSL_REQUEST | GSS_REQUEST) && length == 8;
        if bytes[0] == TLS {
            return Ok(Err(FrameError));
        }
        if !asks {
            return Ok(Ok(Start::With(bytes)));
        }
        client.write_all(b"N")?;
    }
    Ok(Ok(Start::Gone))
}

/// What a client is told if the server cannot be reached.
pub(crate) fn refusal(reason: &str) -> Vec<u8> {
    let mut body = Vec::new();
    for (kind, text) in [(b'S', "FATAL"), (b'V', "FATAL"), (b'C', "08006"), (b'M', reason)] {
        body.push(kind);
        body.extend_from_slice(text.as_bytes());
        body.push(0);
    }
    body.push(0);
    let mut message = vec![b'E'];
    message.extend((body.len() as u32 + 4).to_be_bytes());
    message.extend(body);
    message
}
