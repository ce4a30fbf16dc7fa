//! Reading a request: its head up to a size, its body up to another, all of it within a time.

use std::io::{self, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::{HttpError, Query};

/// The maximum size of a request line with its headers, in bytes.
const LONGEST_HEAD: usize = 16 * 1024;
/// How long a head may take, and how long a request may take as a whole.
const HEAD_TIME: Duration = Duration::from_secs(10);
const BODY_TIME: Duration = Duration::from_secs(120);
/// How much of a body is asked for at once.
const PIECE: usize = 64 * 1024;

/// What a client asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Get,
    Head,
    Post,
}

/// The parts of an HTTP request that the site uses.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: Method,
    /// The path as it was sent: never decoded, never joined with another.
    pub(crate) path: String,
    pub(crate) query: Query,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// The values of a header, by its name in small letters.
    pub(crate) fn headers<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let own = self.headers.iter().filter(move |(known, _)| known == name);
        own.map(|(_, value)| value.as_str())
    }

    /// The head of a request; `None` if there is none.
    fn parse(head: &str) -> Option<Self> {
        let mut lines = head.split("\r\n");
        let mut words = lines.next()?.split(' ');
        let method = match words.next()? {
            "GET" => Method::Get,
            "HEAD" => Method::Head,
            "POST" => Method::Post,
            _ => return None,
        };
        let target = words.next().filter(|target| target.starts_with('/'))?;
        let is_http = words.next().is_some_and(|version| version.starts_with("HTTP/1."));
        if !is_http || words.next().is_some() {
            return None;
        }
        let header = |line: &str| {
            let (name, value) = line.split_once(':')?;
            let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic());
            is_name.then(|| (name.to_ascii_lowercase(), value.trim().to_owned()))
        };
        let headers = lines.map(header).collect::<Option<Vec<_>>>()?;
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let (path, query) = (path.to_owned(), Query::parse(query));
        Some(Self { method, path, query, headers, body: Vec::new() })
    }

    /// How long the body is.
    fn length(&self, most: usize) -> Result<usize, HttpError> {
        if self.headers("transfer-encoding").next().is_some() {
            return Err(HttpError::new(411, "the request has no Content-Length"));
        }
        let mut lengths = self.headers("content-length");
        let (first, None) = (lengths.next().unwrap_or("0"), lengths.next()) else {
            return Err(HttpError::new(400, "the request has more than one Content-Length"));
        };
        let digits = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
        if !digits {
            return Err(HttpError::new(400, "the Content-Length is not a number"));
        }
        match first.parse::<usize>() {
            Ok(length) if length <= most => Ok(length),
            _ => Err(HttpError::new(
                413,
                format!("the request exceeds the limit of {most} bytes; raise it with --upload"),
            )),
        }
    }
}

/// Why there is no request.
pub(super) enum RequestError {
    /// It is not answered as hoped.
    Refused(HttpError),
    /// The client is gone.
    Gone,
}

impl From<HttpError> for RequestError {
    fn from(error: HttpError) -> Self {
        Self::Refused(error)
    }
}

/// Reads from a connection until some instant.
pub(super) struct Reader<'s> {
    stream: &'s TcpStream,
    until: Instant,
}

impl<'s> Reader<'s> {
    pub(super) fn new(stream: &'s TcpStream) -> Self {
        Self { stream, until: Instant::now() + HEAD_TIME }
    }

    /// Reads the head of a request. What came with it of the body is its body for now.
    pub(super) fn head(&mut self) -> Result<Request, RequestError> {
        let mut bytes = Vec::new();
        loop {
            if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                let head = std::str::from_utf8(&bytes[..end]).ok();
                let wrong = || HttpError::new(400, "malformed request");
                let mut request = head.and_then(Request::parse).ok_or_else(wrong)?;
                request.body = bytes.split_off(end + 4);
                return Ok(request);
            }
            if bytes.len() >= LONGEST_HEAD {
                return Err(HttpError::new(431, "the head of the request is too long").into());
            }
            if self.more(&mut bytes, LONGEST_HEAD)? == 0 {
                return Err(RequestError::Gone);
            }
        }
    }

    /// Reads the rest of the body, which must not be longer than this.
    pub(super) fn body(&mut self, request: &mut Request, most: usize) -> Result<(), RequestError> {
        let length = request.length(most)?;
        self.until = Instant::now() + BODY_TIME;
        if length > request.body.len() && request.headers("expect").next().is_some() {
            let go_on = io::Write::write_all(&mut &*self.stream, b"HTTP/1.1 100 Continue\r\n\r\n");
            go_on.map_err(|_| RequestError::Gone)?;
        }
        while request.body.len() < length {
            let missing = length - request.body.len();
            if self.more(&mut request.body, missing.min(PIECE))? == 0 {
                return Err(HttpError::new(400, "the body ended too early").into());
            }
        }
        request.body.truncate(length);
        Ok(())
    }

    /// Appends what comes next, at most so much.
    fn more(&self, bytes: &mut Vec<u8>, most: usize) -> Result<usize, RequestError> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(HttpError::new(408, "the request took too long").into());
        }
        self.stream.set_read_timeout(Some(left)).map_err(|_| RequestError::Gone)?;
        let start = bytes.len();
        bytes.resize(start + most, 0);
        let read = (&mut &*self.stream).read(&mut bytes[start..]);
        bytes.truncate(start + read.as_ref().map_or(0, |&read| read));
        match read {
            Ok(read) => Ok(read),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => self.more(bytes, most),
            Err(error)
                if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) =>
            {
                Err(HttpError::new(408, "the request took too long").into())
            }
            Err(_) => Err(RequestError::Gone),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read_and_nonsense_is_not() {
        let request =
            Request::parse("GET /a?b=c HTTP/1.1\r\nHost: x\r\nA-B:  c d ").expect("a head");
        assert_eq!((request.method, request.path.as_str()), (Method::Get, "/a"));
        assert_eq!(
            (request.query.get("b"), request.headers("a-b").next()),
            (Some("c"), Some("c d"))
        );
        for wrong in [
            "",
            " ",
            "GET",
            "GET /",
            "GET / HTTP/2",
            "GET http://evil/ HTTP/1.1",
            "GET / HTTP/1.1 x",
            "DELETE / HTTP/1.1",
            "GET / HTTP/1.1\r\nno colon",
            "GET / HTTP/1.1\r\n: x",
            "GET / HTTP/1.1\r\na b: x",
        ] {
            assert!(Request::parse(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_body_has_one_length_and_not_too_much_of_it() {
        let length = |headers: &str| {
            let head = format!("POST / HTTP/1.1\r\n{headers}");
            Request::parse(&head).expect("a head").length(100).map_err(|error| error.status)
        };
        assert_eq!(length("a: b"), Ok(0));
        assert_eq!(length("Content-Length: 100"), Ok(100));
        assert_eq!(length("Content-Length: 101"), Err(413));
        assert_eq!(length("Content-Length: 99999999999999999999999"), Err(413));
        for wrong in ["-1", "+1", "x", ""] {
            assert_eq!(length(&format!("Content-Length: {wrong}")), Err(400), "{wrong}");
        }
        assert_eq!(length("Content-Length: 1\r\nContent-Length: 2"), Err(400));
        assert_eq!(length("Transfer-Encoding: chunked"), Err(411));
    }
}
