//! A client for PostgreSQL in a few lines, which sends exactly what a test wants.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};

/// A connection.
pub struct Pg {
    pub stream: TcpStream,
}

/// A message: its kind and what it says.
pub type Message = (u8, Vec<u8>);

impl Pg {
    /// Connects, asks for encryption like everybody, and logs in without a password.
    pub fn connect(
        address: impl ToSocketAddrs,
        user: &str,
        options: &[(&str, &str)],
    ) -> io::Result<Self> {
        let mut stream = TcpStream::connect(address)?;
        // GSSENCRequest and SSLRequest
        for code in [80_877_104u32, 80_877_103] {
            stream.write_all(&[&8u32.to_be_bytes()[..], &code.to_be_bytes()].concat())?;
            let mut answer = [0];
            stream.read_exact(&mut answer)?;
            assert_eq!(answer, *b"N", "encryption is refused");
        }
        Self::log_in(stream, user, options)
    }

    /// Connects to a server without a proxy.
    pub fn direct(address: impl ToSocketAddrs, user: &str) -> io::Result<Self> {
        Self::log_in(TcpStream::connect(address)?, user, &[])
    }

    fn log_in(mut stream: TcpStream, user: &str, options: &[(&str, &str)]) -> io::Result<Self> {
        let mut body = 196_608u32.to_be_bytes().to_vec();
        for (name, value) in [("user", user), ("database", "postgres")].iter().chain(options) {
            body.extend(name.as_bytes().iter().chain(b"\0").chain(value.as_bytes()).chain(b"\0"));
        }
        body.push(0);
        stream.write_all(&(body.len() as u32 + 4).to_be_bytes())?;
        stream.write_all(&body)?;
        let mut client = Self { stream };
        client.until_ready()?;
        Ok(client)
    }

    pub fn send(&mut self, messages: &[Message]) -> io::Result<()> {
        let bytes: Vec<u8> = messages.iter().flat_map(|(kind, body)| framed(*kind, body)).collect();
        self.stream.write_all(&bytes)
    }

    pub fn read(&mut self) -> io::Result<Message> {
        let mut head = [0; 5];
        self.stream.read_exact(&mut head)?;
        let [kind, length @ ..] = head;
        let mut body = vec![0; u32::from_be_bytes(length) as usize - 4];
        self.stream.read_exact(&mut body)?;
        Ok((kind, body))
    }

    /// All messages up to the one that says that the server is ready.
    pub fn until_ready(&mut self) -> io::Result<Vec<Message>> {
        let mut messages = Vec::new();
        loop {
            messages.push(self.read()?);
            if messages.last().is_some_and(|(kind, _)| *kind == b'Z') {
                return Ok(messages);
            }
        }
    }

    pub fn query(&mut self, sql: &str) -> io::Result<Vec<Message>> {
        self.send(&[query(sql)])?;
        self.until_ready()
    }
}

/// A message in bytes.
pub fn framed(kind: u8, body: &[u8]) -> Vec<u8> {
    [&[kind][..], &(body.len() as u32 + 4).to_be_bytes(), body].concat()
}

pub fn text(text: &str) -> Vec<u8> {
    [text.as_bytes(), &[0]].concat()
}

pub fn query(sql: &str) -> Message {
    (b'Q', text(sql))
}

pub fn parse(name: &str, sql: &str, types: &[u32]) -> Message {
    let mut body = [text(name), text(sql)].concat();
    body.extend((types.len() as u16).to_be_bytes());
    body.extend(types.iter().flat_map(|code| code.to_be_bytes()));
    (b'P', body)
}

/// Binds the unnamed portal; each parameter with whether it is sent as bytes.
pub fn bind(name: &str, params: &[(bool, Option<&[u8]>)], binary_result: bool) -> Message {
    let mut body = [text(""), text(name)].concat();
    let count = (params.len() as u16).to_be_bytes();
    body.extend(count);
    body.extend(params.iter().flat_map(|(binary, _)| u16::from(*binary).to_be_bytes()));
    body.extend(count);
    for (_, value) in params {
        body.extend(value.map_or(-1, |value| value.len() as i32).to_be_bytes());
        body.extend(value.unwrap_or_default());
    }
    body.extend([0, 1, 0, binary_result.into()]);
    (b'B', body)
}

pub fn describe(kind: u8, name: &str) -> Message {
    (b'D', [&[kind][..], &text(name)].concat())
}

pub fn execute() -> Message {
    (b'E', [text(""), vec![0; 4]].concat())
}

pub fn sync() -> Message {
    (b'S', Vec::new())
}
