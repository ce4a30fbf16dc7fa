//! Sends arbitrary bytes as an HTTP request to the local page.
//!
//! Any request may be refused, but nothing may panic, and every answer that is given is one of HTTP. Dropped
//! traces wait in line: no check is started.

#![no_main]

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tristan_check::budget::Limits;
use tristan_serve::{BoundServer, Serve};

/// Whatever fits into a socket before anybody reads it.
const LONGEST: usize = 64 << 10;

static SERVER: LazyLock<BoundServer> = LazyLock::new(|| {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples-traces").into();
    let bind = [127, 0, 0, 1].into();
    let serve = Serve { folder, bind, port: 0, upload: 1 << 10, limits: Limits::default() };
    serve.bind().expect("a port")
});

fuzz_target!(|bytes: &[u8]| {
    let (mut client, server) = UnixStream::pair().expect("two sockets");
    client.write_all(&bytes[..bytes.len().min(LONGEST)]).expect("the request is sent");
    client.shutdown(Shutdown::Write).expect("the request has ended");
    // Only the ways to make connections differ.
    let server = TcpStream::from(OwnedFd::from(server));
    let mut answer = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(|| SERVER.answer(server));
        client.read_to_end(&mut answer).expect("the server hangs up");
    });
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 "));
});
