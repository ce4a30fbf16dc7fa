//! A folder to serve, a server on it, and requests written by hand.

#![allow(dead_code, clippy::panic, reason = "each test file uses its own part")]

use std::fs;
use std::io::{Read, Write};
use std::net::{IpAddr, Shutdown, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use tristan_check::budget::Limits;
use tristan_check::{Options, Silent, check};
use tristan_formats as formats;
use tristan_history::{History, HistoryBuilder, Outcome};
use tristan_serve::Serve;
use tristan_spec::Catalog;
use tristan_verdict::audit::{
    AUDIT_SCHEMA_VERSION, AuditAnswer, AuditVerdict, LogSummary, Possibility, Rejection, Told,
};
use tristan_verdict::{Answer, UnknownReason, Verdict};

/// The largest trace that the servers of these tests take.
pub const UPLOAD: usize = 100_000;

/// Two doctors who both go home: write skew.
pub const TRACE: &str = r#"{"s":"a","st":"c","ops":[["r","x",null],["w","y",1]]}
{"s":"b","st":"c","ops":[["r","y",null],["w","x",1]]}
"#;

/// A SQL log, which only `tristan audit` reads.
pub const SQL_LOG: &str = r#"{"tristan":"sql-log/1","dialect":"postgresql"}
{"schema":"CREATE TABLE t (id INT PRIMARY KEY)"}
"#;

/// What lies outside of the folder that is served.
pub const SECRET: &str = "the-secret-beside-the-folder";

/// The folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn judged(history: &History, level: &str, name: &str) -> Verdict {
    let level = Catalog::default().find(level).expect("a level");
    let options = Options { trace_name: name.to_owned(), ..Options::default() };
    check(history, &level, &options, &Silent).verdict
}

fn of_corpus(path: &str, level: &str) -> Verdict {
    let history = formats::open(&root().join("corpus").join(path), None).expect("a trace");
    judged(&history, level, path)
}

/// A SQL log in which an answer is wrong.
fn audited() -> AuditVerdict {
    let rejection = Rejection {
        sentence: "Statement 1 of transaction 4 was answered wrongly.".to_owned(),
        transaction: 4,
        line: 9,
        prefix: 3,
        statement: Some(1),
        sql: "SELECT balance FROM accounts".to_owned(),
        params: Vec::new(),
        part: None,
        observed: Told::Rows(vec![vec!["420.00".to_owned()]]),
        expected: vec![Possibility {
            when: "if it read the state after transaction 2".to_owned(),
            told: Told::Rows(vec![vec!["410.00".to_owned()]]),
        }],
        writers: Vec::new(),
        impossible: None,
        anomaly: None,
        orders: Vec::new(),
        shrunk: Vec::new(),
        script: String::new(),
    };
    AuditVerdict {
        schema: AUDIT_SCHEMA_VERSION.to_owned(),
        level: "ser".to_owned(),
        title: "serializable".to_owned(),
        log: LogSummary { name: "bank.jsonl".to_owned(), ..LogSummary::default() },
        answer: AuditAnswer::Reject { rejection: Box::new(rejection) },
        assumptions: Vec::new(),
        warnings: Vec::new(),
    }
}

/// Write skew under other names.
fn skew_elsewhere() -> Verdict {
    let mut builder = HistoryBuilder::default();
    builder.begin("till").get("seat 9", None).put("seat 4", 7).end(Outcome::Committed);
    builder.begin("web").get("seat 4", None).put("seat 9", 8).end(Outcome::Committed);
    judged(&builder.finish(), "serializable", "seats.jsonl")
}

/// A folder with verdicts and traces; what lies beside it is nobody's business.
pub fn stocked(name: &str) -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&home);
    let folder = home.join("served");
    fs::create_dir_all(folder.join("monday")).expect("a folder");
    let skew =
        of_corpus("strong-generalized-snapshot-isolation/doctors-on-call.jsonl", "serializable");
    let fork = of_corpus("strong-parallel-si/long-fork.jsonl", "snapshot-isolation");
    let fine = of_corpus("strong-serializable/bank-transfers.jsonl", "serializable");
    let mut open = fine.clone();
    open.answer = Answer::Unknown {
        reason: UnknownReason::Time { millis: 60_000, stage: String::new() },
        decided: "nothing was found so far".to_owned(),
    };
    open.transactions = Vec::new();
    let store = |file: &str, text: String| fs::write(folder.join(file), text).expect("a file");
    store("monday/skew.json", skew.to_json());
    store("tuesday.json", skew_elsewhere().to_json());
    store("fork.json", fork.to_json());
    store("fine.json", fine.to_json());
    store("open.json", open.to_json());
    let line = |verdict: &Verdict| serde_json::to_string(verdict).expect("JSON") + "\n";
    store("many.json", line(&fine) + &line(&fork));
    store("broken.json", "{\"schema\":\"tristan/verdict/1\",\"level\":7}".to_owned());
    store("<b>odd & 'name'.jsonl", TRACE.to_owned());
    store("audit.json", audited().to_json());
    store("shop.jsonl", SQL_LOG.to_owned());
    store("readme.txt", "neither a verdict nor a trace".to_owned());
    let secret = skew.to_json().replace("doctors-on-call", SECRET);
    fs::write(home.join("secret.json"), &secret).expect("a file");
    fs::write(folder.join(".hidden.json"), &secret).expect("a file");
    link(&home.join("secret.json"), &folder.join("link.json"));
    link(&home, &folder.join("up"));
    folder
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) {
    std::os::unix::fs::symlink(from, to).expect("a link");
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) {}

/// Starts a server that runs until the test ends; returns its address as `127.0.0.1:PORT`.
pub fn served(folder: &Path) -> String {
    let serve = Serve {
        folder: folder.to_owned(),
        bind: IpAddr::from([127, 0, 0, 1]),
        port: 0,
        upload: UPLOAD,
        limits: Limits { time: Some(Duration::from_secs(120)), memory: None },
    };
    let bound = serve.bind().expect("a server");
    let address = bound.url().trim_start_matches("http://").trim_end_matches('/').to_owned();
    thread::spawn(move || bound.run());
    address
}

/// An answer.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Reply {
    /// A header of the answer.
    pub fn header(&self, name: &str) -> Option<&str> {
        let start = format!("{name}: ");
        self.head.lines().find_map(|line| line.strip_prefix(&start))
    }
}

/// Sends bytes, and nothing more; `None` if the server just hangs up.
pub fn send(address: &str, bytes: &[u8]) -> Option<Reply> {
    let mut stream = TcpStream::connect(address).expect("the server is there");
    stream.set_read_timeout(Some(Duration::from_secs(300))).expect("a timeout");
    // The server may have had enough before the end.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let text = String::from_utf8_lossy(&answer).into_owned();
    if text.is_empty() {
        return None;
    }
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    let status = head.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)).expect("a status");
    let status = status.parse().expect("a number");
    Some(Reply { status, head: head.to_owned(), body: body.to_owned() })
}

/// Asks for a page.
pub fn get(address: &str, target: &str) -> Reply {
    let request = format!("GET {target} HTTP/1.1\r\nHost: {address}\r\n\r\n");
    send(address, request.as_bytes()).expect("an answer")
}

/// Sends a form with a file.
pub fn drop_trace(address: &str, level: &str, trace: &[u8]) -> Reply {
    let mut body = format!(
        "--XX\r\nContent-Disposition: form-data; name=\"level\"\r\n\r\n{level}\r\n--XX\r\n\
         Content-Disposition: form-data; name=\"trace\"; filename=\"dropped.jsonl\"\r\n\r\n"
    )
    .into_bytes();
    body.extend(trace);
    body.extend(b"\r\n--XX--\r\n");
    let mut request = format!(
        "POST /check HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
         Content-Type: multipart/form-data; boundary=XX\r\nContent-Length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    request.extend(body);
    send(address, &request).expect("an answer")
}

/// Follows a check to its end.
pub fn followed(address: &str, reply: &Reply) -> Reply {
    let until = Instant::now() + Duration::from_secs(300);
    let mut place = reply.header("Location").expect("the way to the check").to_owned();
    loop {
        let reply = get(address, &place);
        match reply.header("Location") {
            Some(next) => place = next.to_owned(),
            None if reply.status == 200 && reply.body.contains("refreshes every second") => {
                assert!(Instant::now() < until, "the check takes too long: {}", reply.body);
                thread::sleep(Duration::from_millis(50));
            }
            None => return reply,
        }
    }
}

/// All files below a folder with their sizes, in order.
pub fn inventory(folder: &Path) -> Vec<(PathBuf, u64)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let about = entry.metadata().expect("something");
        match about.is_dir() {
            true => all.extend(inventory(&entry.path())),
            false => all.push((entry.path(), about.len())),
        }
    }
    all.sort();
    all
}
