//! As much of HTTP/1.1 as it takes to talk to a database: one request after the other on one
//! connection that stays open.
//!
//! ```text
//!   POST /v3/kv/range HTTP/1.1          HTTP/1.1 200 OK
//!   Host: 127.0.0.1:2379         ──►    Content-Length: 93   (or Transfer-Encoding: chunked)
//!   Content-Length: 27           ◄──
//!                                       {"header":…}
//!   {"key":"…"}
//! ```
//!
//! A request is never sent twice: if the answer does not come, its effect is unknown.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

/// How long to wait for a connection, and for an answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Longest line of a head.
const LONGEST_LINE: u64 = 1 << 16;
/// Most lines of a head.
const MOST_LINES: usize = 1_000;
/// Longest body.
const LONGEST_BODY: u64 = 1 << 28;

/// A connection to a server.
#[derive(Debug)]
pub(super) struct HttpClient {
    host: String,
    port: u16,
    /// Where the next answer comes from; nothing is connected before the first request.
    stream: Option<BufReader<TcpStream>>,
}

/// What the server said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HttpAnswer {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
}

impl HttpClient {
    pub(super) fn new(host: &str, port: u16) -> Self {
        Self { host: host.into(), port, stream: None }
    }

    /// Asks for what is at a path.
    pub(super) fn get(&mut self, path: &str) -> io::Result<HttpAnswer> {
        self.request("GET", path, &[])
    }

    /// Sends JSON to a path.
    pub(super) fn post(&mut self, path: &str, body: &[u8]) -> io::Result<HttpAnswer> {
        self.request("POST", path, body)
    }

    fn request(&mut self, method: &str, path: &str, body: &[u8]) -> io::Result<HttpAnswer> {
        // Whatever goes wrong from here on, the connection is not used again.
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => BufReader::new(connect(&self.host, self.port)?),
        };
        let (port, length) = (self.port, body.len());
        let host =
            if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() };
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}:{port}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        )
        .into_bytes();
        request.extend_from_slice(body);
        stream.get_mut().write_all(&request)?;
        let (answer, stays_open) = read_answer(&mut stream)?;
        self.stream = stays_open.then_some(stream);
        Ok(answer)
    }
}

fn connect(host: &str, port: u16) -> io::Result<TcpStream> {
    let mut failed = io::Error::new(ErrorKind::NotFound, format!("{host} has no address"));
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(PATIENCE))?;
                stream.set_write_timeout(Some(PATIENCE))?;
                return Ok(stream);
            }
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

/// What the head of an answer says about its body.
#[derive(Debug, Default)]
struct Head {
    status: u16,
    length: Option<u64>,
    chunked: bool,
    closes: bool,
}

/// An answer, and whether another may follow on the same connection.
fn read_answer(stream: &mut impl BufRead) -> io::Result<(HttpAnswer, bool)> {
    let head = read_head(stream)?;
    let (body, ended) = match head {
        Head { chunked: true, .. } => (read_chunks(stream)?, false),
        Head { length: Some(length), .. } => (read_bytes(stream, length)?, false),
        Head { status: 204 | 304, .. } => (Vec::new(), false),
        _ => (read_rest(stream)?, true),
    };
    Ok((HttpAnswer { status: head.status, body }, !head.closes && !ended))
}

fn read_head(stream: &mut impl BufRead) -> io::Result<Head> {
    let first = read_line(stream)?;
    let mut words = first.split_whitespace();
    let version = words.next().filter(|word| word.starts_with("HTTP/1."));
    let status = words.next().and_then(|word| word.parse().ok());
    let (Some(version), Some(status)) = (version, status) else {
        return Err(wrong(format!("found \"{first}\", expected the status line of a response")));
    };
    let mut head = Head { status, closes: version == "HTTP/1.0", ..Head::default() };
    for _ in 0..MOST_LINES {
        let line = read_line(stream)?;
        if line.is_empty() {
            return Ok(head);
        }
        head.note(&line)?;
    }
    Err(wrong("the header of the response is incomplete"))
}

impl Head {
    fn note(&mut self, line: &str) -> io::Result<()> {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => {
                let length = value.parse().map_err(|_| wrong(format!("found \"{line}\"")))?;
                self.length = Some(length);
            }
            "transfer-encoding" => self.chunked = value.eq_ignore_ascii_case("chunked"),
            "connection" => self.closes = value.eq_ignore_ascii_case("close"),
            _ => {}
        }
        Ok(())
    }
}

/// A body that comes in pieces, each with its length before it, until one is empty.
fn read_chunks(stream: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line = read_line(stream)?;
        let size = line.split(';').next().unwrap_or_default().trim();
        let size = u64::from_str_radix(size, 16)
            .map_err(|_| wrong(format!("found \"{line}\", expected a chunk size")))?;
        if size == 0 {
            // What may follow are more lines of the head.
            while !read_line(stream)?.is_empty() {}
            return Ok(body);
        }
        body.append(&mut read_bytes(stream, size)?);
        if body.len() as u64 > LONGEST_BODY {
            return Err(wrong("the body of the response is incomplete"));
        }
        read_line(stream)?;
    }
}

fn read_bytes(stream: &mut impl BufRead, length: u64) -> io::Result<Vec<u8>> {
    if length > LONGEST_BODY {
        return Err(wrong(format!("a body of {length} bytes is too long")));
    }
    let mut body = Vec::new();
    stream.take(length).read_to_end(&mut body)?;
    match body.len() as u64 == length {
        true => Ok(body),
        false => Err(cut_off()),
    }
}

fn read_rest(stream: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    stream.take(LONGEST_BODY).read_to_end(&mut body)?;
    Ok(body)
}

/// A line without its end.
fn read_line(stream: &mut impl BufRead) -> io::Result<String> {
    let mut line = Vec::new();
    stream.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    if line.pop() != Some(b'\n') {
        return Err(cut_off());
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    String::from_utf8(line).map_err(|_| wrong("a line that is not UTF-8 text"))
}

fn wrong(text: impl Into<String>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, text.into())
}

fn cut_off() -> io::Error {
    io::Error::new(ErrorKind::UnexpectedEof, "the response was cut off")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> io::Result<(u16, String, bool)> {
        let (answer, stays_open) = read_answer(&mut text.as_bytes())?;
        let body = String::from_utf8(answer.body).expect("a text");
        Ok((answer.status, body, stays_open))
    }

    #[test]
    fn bodies_end_where_the_head_says() {
        let counted = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1";
        assert_eq!(read(counted).expect("an answer"), (200, "ok".into(), true));
        let chunked = "HTTP/1.1 400 Bad Request\r\nTransfer-Encoding: chunked\r\n\r\n\
                       3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: 1\r\n\r\nHTTP";
        assert_eq!(read(chunked).expect("an answer"), (400, "abc0123456789".into(), true));
        let closed = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it";
        assert_eq!(read(closed).expect("an answer"), (200, "all of it".into(), false));
        let last = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
        assert_eq!(read(last).expect("an answer"), (200, String::new(), false));
        assert_eq!(read("HTTP/1.1 204 None\r\n\r\n").expect("one"), (204, String::new(), true));
    }

    #[test]
    fn answers_that_are_cut_off_or_no_answers_are_errors() {
        for text in [
            "",
            "HTTP/1.1 200 OK",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nab",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "SSH-2.0-OpenSSH\r\n\r\n",
        ] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }
}
