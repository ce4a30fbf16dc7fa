//! Bytes that make no sense are passed on all the same, and the log stays readable.

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::thread;

use crate::common::pg::{bind, describe, execute, framed, parse, query, sync, text};
use crate::common::{PATIENCE, Running, folder, proxy, start, with};
use tristan_history::Outcome;
use tristan_proxy::{Protocol, Proxy};

/// What somebody says: whether it is the client, and what.
pub type Step = (bool, Vec<u8>);

/// A server that plays its part in a script.
pub struct Fake {
    listener: TcpListener,
}

impl Fake {
    pub fn new() -> Self {
        Self { listener: TcpListener::bind("127.0.0.1:0").expect("a port") }
    }

    fn address(&self) -> String {
        self.listener.local_addr().expect("an address").to_string()
    }

    /// Plays a script through a proxy, one step after the other: everything must arrive.
    pub fn play(&self, through: &Running, script: &[Step]) {
        thread::scope(|scope| {
            let server = scope.spawn(|| {
                let (stream, _) = self.listener.accept().expect("a client");
                take_part(stream, script, false);
            });
            let client = TcpStream::connect(through.address).expect("a connection");
            take_part(client, script, true);
            server.join().expect("the server");
        });
    }

    pub fn proxy(&self, name: &str, protocol: Protocol) -> Running {
        let mut proxy: Proxy = proxy(&folder(name), &self.address(), Some(protocol));
        proxy.trace = Some(proxy.log.with_file_name("trace.jsonl"));
        proxy.tables = vec!["accounts:id:balance".parse().expect("a table")];
        let running = start(proxy);
        // The proxy has looked whether the server is there.
        drop(self.listener.accept());
        running
    }
}

/// Says what is to be said and hears the rest.
fn take_part(mut stream: TcpStream, script: &[Step], is_client: bool) {
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    for (from_client, said) in script {
        if *from_client == is_client {
            stream.write_all(said).expect("it is sent");
            continue;
        }
        let mut told = vec![0; said.len()];
        stream.read_exact(&mut told).expect("everything arrives");
        // Only what a server of MySQL offers is changed.
        let greeting = said.len() > 40 && said[4] == 10 && said[3] == 0;
        assert!(told == *said || greeting, "{told:?}\n{said:?}");
    }
    // Whoever has gone already need not be told.
    let _ = stream.shutdown(Shutdown::Write);
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    assert!(rest.is_empty(), "nothing else arrives: {rest:?}");
}

pub fn startup() -> Vec<u8> {
    let body = b"\0\x03\0\0user\0me\0\0";
    [&(body.len() as u32 + 4).to_be_bytes()[..], body].concat()
}

/// A client of PostgreSQL that does a bit of everything.
fn postgres_client() -> Vec<u8> {
    let messages = [
        query("begin; update accounts set balance = 7 where id = 1; commit"),
        parse("s", "select balance from accounts where id = $1", &[23]),
        describe(b'S', "s"),
        bind("s", &[(true, Some(&[0, 0, 0, 1]))], true),
        execute(),
        sync(),
        (b'F', vec![0; 10]),
        (b'X', Vec::new()),
    ];
    messages.iter().flat_map(|(kind, body)| framed(*kind, body)).collect()
}

pub fn postgres_welcome() -> Vec<u8> {
    let version = [text("server_version"), text("15.1")].concat();
    [framed(b'R', &[0; 4]), framed(b'S', &version), framed(b'Z', b"I")].concat()
}

fn postgres_server() -> Vec<u8> {
    let column =
        [&b"\0\x01balance\0"[..], &[0; 6], &[0, 0, 0, 23], &[0, 4, 0, 0, 0, 0], &[0, 0]].concat();
    let messages: [(u8, Vec<u8>); 15] = [
        (b'C', text("BEGIN")),
        (b'C', text("UPDATE 1")),
        (b'C', text("COMMIT")),
        (b'Z', b"I".to_vec()),
        (b'1', Vec::new()),
        (b't', vec![0, 1, 0, 0, 0, 23]),
        (b'T', column),
        (b'2', Vec::new()),
        (b'D', vec![0, 1, 0, 0, 0, 4, 0, 0, 0, 7]),
        (b'C', text("SELECT 1")),
        (b'Z', b"I".to_vec()),
        (b'V', vec![0xff; 4]),
        (b'Z', b"I".to_vec()),
        (b'N', text("Mbye")),
        (b'E', [&b"SFATAL\0C57P01\0Mleave\0"[..], &[0]].concat()),
    ];
    messages.iter().flat_map(|(kind, body)| framed(*kind, body)).collect()
}

fn packet(number: u8, body: &[u8]) -> Vec<u8> {
    let [a, b, c, _] = (body.len() as u32).to_le_bytes();
    [&[a, b, c, number][..], body].concat()
}

fn mysql_login() -> Vec<u8> {
    packet(1, &[&(1u32 << 21 | 1 << 16).to_le_bytes()[..], &[0; 28], b"me\0\0"].concat())
}

fn mysql_client() -> Vec<u8> {
    let packets = [
        packet(0, b"\x03begin; update accounts set balance = 7 where id = 1; commit"),
        packet(0, b"\x16select balance from accounts where id = ?"),
    ];
    packets.concat()
}

fn mysql_client_later() -> Vec<u8> {
    let execute = [&[0x17, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 3, 0][..], &[1, 0, 0, 0]].concat();
    let packets =
        [packet(0, &execute), packet(0, b"\x19\x01\0\0\0"), packet(0, b"\x0e"), packet(0, b"\x01")];
    packets.concat()
}

fn mysql_greeting() -> Vec<u8> {
    let mut greeting = vec![10];
    greeting.extend(b"8.4.0\0\x07\0\0\0abcdefgh\0\xff\xff\x2d\x02\0\xff\xff\x15");
    greeting.extend([0; 10]);
    greeting.extend(b"ijklmnopqrst\0");
    packet(0, &greeting)
}

fn mysql_ok(number: u8, status: u8) -> Vec<u8> {
    packet(number, &[0, 1, 0, status, 0, 0, 0])
}

fn mysql_end(number: u8) -> Vec<u8> {
    packet(number, &[0xfe, 0, 0, 2, 0])
}

fn mysql_column(number: u8) -> Vec<u8> {
    let name = b"\x03def\0\0\0\x07balance\0\x0c";
    packet(number, &[&name[..], &[63, 0, 11, 0, 0, 0, 3, 0, 0, 0, 0, 0]].concat())
}

fn mysql_server() -> Vec<u8> {
    let packets = [
        mysql_ok(1, 2 | 8 | 1),
        mysql_ok(2, 2 | 8 | 1),
        mysql_ok(3, 2),
        packet(1, &[0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0]),
        mysql_column(2),
        mysql_end(3),
        mysql_column(4),
        mysql_end(5),
    ];
    packets.concat()
}

fn mysql_server_later() -> Vec<u8> {
    let packets = [
        packet(1, &[1]),
        mysql_column(2),
        mysql_end(3),
        packet(4, &[0, 0, 7, 0, 0, 0]),
        mysql_end(5),
        mysql_ok(1, 2),
    ];
    packets.concat()
}

/// A whole conversation; the last two steps come after the client was let in.
pub fn conversation(protocol: Protocol) -> Vec<Step> {
    match protocol {
        Protocol::Postgres => vec![
            (true, startup()),
            (false, postgres_welcome()),
            (true, postgres_client()),
            (false, postgres_server()),
        ],
        Protocol::MySql => vec![
            (false, mysql_greeting()),
            (true, mysql_login()),
            (false, mysql_ok(2, 2)),
            (true, mysql_client()),
            (false, mysql_server()),
            (true, mysql_client_later()),
            (false, mysql_server_later()),
        ],
    }
}

fn readable(path: &Path) {
    let text = fs::read_to_string(path).expect("UTF-8");
    assert!(text.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
}

/// How many connections made no sense.
fn confused(log: &[serde_json::Value]) -> usize {
    let notes = with(log, "note");
    let senseless = |line: &&&serde_json::Value| {
        line["note"].as_str().is_some_and(|note| note.contains("sent an unexpected message"))
    };
    notes.iter().filter(senseless).count()
}

#[test]
fn what_makes_sense_is_understood() {
    for (protocol, type_name, mark) in
        [(Protocol::Postgres, "int4", "$1"), (Protocol::MySql, "int", "?")]
    {
        let fake = Fake::new();
        let proxy = fake.proxy(&format!("sense-{}", protocol.name()), protocol);
        fake.play(&proxy, &conversation(protocol));
        let log = crate::common::closed(&proxy.log);
        assert_eq!(with(&log, "call").len(), 4, "{log:#?}");
        assert_eq!(with(&log, "end").len(), 4, "{log:#?}");
        assert_eq!(crate::common::finished(&log, "committed"), 2, "{log:#?}");
        let sql = format!("select balance from accounts where id = {mark}");
        let (call, end) = crate::common::statement(&log, &sql);
        assert_eq!(call["params"], serde_json::json!([1]));
        let end = end.expect("an end");
        assert_eq!(end["columns"], serde_json::json!([["balance", type_name]]));
        assert_eq!(end["rows"], serde_json::json!([[7]]));
        let trace = fs::read_to_string(&proxy.trace).expect("a trace");
        for part in
            [r#""op":"put","k":1,"v":7,"if":"present""#, r#""op":"get","k":1"#, r#""v":7,"at""#]
        {
            assert!(trace.contains(part), "{part}: {trace}");
        }
        let history = tristan_formats::open(&proxy.trace, None).expect("a trace");
        assert_eq!(history.txns.len(), 2);
    }
}

#[test]
fn a_message_that_is_cut_anywhere_is_passed_on() {
    for protocol in Protocol::ALL {
        let fake = Fake::new();
        let proxy = fake.proxy(&format!("cut-{}", protocol.name()), protocol);
        let whole = conversation(protocol);
        let last = whole.len() - 1;
        let (said, answer) = (whole[last - 1].1.len(), whole[last].1.len());
        let mut count = 0;
        for length in 0..said {
            let mut script = whole.clone();
            script[last - 1].1.truncate(length);
            script[last].1.truncate(length * answer / said / 2);
            fake.play(&proxy, &script);
            count += 1;
        }
        let log = crate::common::wait(&proxy.log, |log| with(log, "close").len() == count);
        assert!(with(&log, "end").iter().any(|line| line["lost"] == true));
        readable(&proxy.trace);
    }
}

#[test]
fn changed_bytes_are_passed_on() {
    let mut seed = 1u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    const ROUNDS: usize = 1000;
    for protocol in Protocol::ALL {
        let fake = Fake::new();
        let proxy = fake.proxy(&format!("changed-{}", protocol.name()), protocol);
        for _ in 0..ROUNDS {
            let mut script = conversation(protocol);
            let last = script.len() - 1;
            let changed = if protocol == Protocol::MySql { 4 } else { 2 };
            for _ in 0..=random(3) {
                let (_, bytes) = &mut script[last - random(changed)];
                let place = random(bytes.len());
                bytes[place] = random(256) as u8;
            }
            fake.play(&proxy, &script);
        }
        let log = crate::common::wait(&proxy.log, |log| with(log, "close").len() == ROUNDS);
        let confused = confused(&log);
        assert!((ROUNDS / 10..ROUNDS).contains(&confused), "{confused} made no sense");
        readable(&proxy.trace);
    }
}

#[test]
fn there_is_one_warning_per_connection() {
    let fake = Fake::new();
    let proxy = fake.proxy("one-warning", Protocol::Postgres);
    let said = b"Q\xff\xff\xff\xffnonsense".repeat(20);
    let answer = b"nonsense".repeat(20);
    let welcome = [(true, startup()), (false, postgres_welcome())];
    fake.play(&proxy, &[&welcome[..], &[(true, said), (false, answer)]].concat());
    let log = crate::common::closed(&proxy.log);
    assert_eq!(confused(&log), 1, "{log:?}");
}

#[test]
fn no_memory_is_set_aside_for_lengths() {
    let fake = Fake::new();
    let proxy = fake.proxy("lengths", Protocol::Postgres);
    // A thousand messages that claim to be a gigabyte each would not fit.
    let mut said = startup();
    said.extend(b"Q\x3f\xff\xff\xffselect 1");
    for _ in 0..1000 {
        let mut client = TcpStream::connect(proxy.address).expect("a connection");
        client.write_all(&said).expect("it is sent");
        drop(fake.listener.accept());
    }
    fake.play(&proxy, &[(true, said)]);
    readable(&proxy.log);
}

#[test]
fn writes_whose_answers_got_lost_are_not_made_up() {
    let fake = Fake::new();
    let proxy = fake.proxy("lost", Protocol::Postgres);
    // Each client is gone before the next one comes: the trace ends at the last one.
    let play = |clients: usize, sql: &str| {
        let (kind, body) = query(sql);
        let asked = (true, framed(kind, &body));
        fake.play(&proxy, &[(true, startup()), (false, postgres_welcome()), asked]);
        crate::common::wait(&proxy.log, |log| with(log, "close").len() == clients)
    };
    play(1, "update accounts set balance = 7 where id = 1");
    play(2, "begin; update accounts set balance = 8 where id = 3");
    // What it wrote nobody knows, so that nothing after it can be told.
    let log = play(3, "update accounts set balance = balance + 1 where id = 2 returning balance");
    assert_eq!(crate::common::finished(&log, "unknown"), 2, "{log:#?}");
    assert_eq!(crate::common::finished(&log, "aborted"), 1, "{log:#?}");
    let trace = fs::read_to_string(&proxy.trace).expect("a trace");
    assert_eq!(trace.matches("its answer was lost").count(), 1, "{trace}");
    let history = tristan_formats::open(&proxy.trace, None).expect("a trace");
    let outcomes: Vec<_> = history.txns.iter().map(|txn| txn.outcome).collect();
    assert_eq!(outcomes, [Outcome::Unknown, Outcome::Aborted, Outcome::Unknown], "{trace}");
}

#[test]
fn whoever_insists_on_encryption_is_sent_away() {
    let fake = Fake::new();
    let proxy = fake.proxy("tls", Protocol::Postgres);
    let mut client = TcpStream::connect(proxy.address).expect("a connection");
    client.write_all(b"\x16\x03\x01\x02\x00\x01\x00\x01").expect("it is sent");
    let mut told = Vec::new();
    client.read_to_end(&mut told).expect("the proxy hangs up");
    assert!(told.is_empty());
    crate::common::wait(&proxy.log, |log| with(log, "note").len() == 1);
}
