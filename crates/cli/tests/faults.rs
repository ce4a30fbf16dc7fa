//! What breaks while a database is recorded: servers, connections, the recorder itself. Traces stay
//! readable, and say what is not known.

#![allow(clippy::print_stdout, reason = "says why a test did nothing")]

mod common;

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use common::{Run, finish, folder, root, tristan};

fn run_in(place: &Path, args: &[&str]) -> Run {
    finish(tristan(args).current_dir(place).output().expect("it starts"))
}

fn accepted(place: &Path, level: &str) {
    let run = run_in(place, &["check", "trace.jsonl", "--level", level, "--time", "120s"]);
    assert_eq!(run.code, 0, "{run:#?}");
}

/// A PostgreSQL server of a test's own, which may be killed.
struct Server {
    folder: std::path::PathBuf,
    port: u16,
}

impl Server {
    fn start(name: &str) -> Option<Self> {
        if std::env::var_os("TRISTAN_POSTGRES").is_none() {
            println!("TRISTAN_POSTGRES is not set: nothing is killed");
            return None;
        }
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let folder = std::env::temp_dir().join(format!("tristan-{name}-{}", std::process::id()));
        let server = Self { folder, port };
        let started = Command::new("sh").args(["-c", &server.command()]).output();
        let started = finish(started.expect("a shell"));
        assert_eq!(started.code, 0, "{started:#?}");
        Some(server)
    }

    fn script() -> String {
        root().join("scripts/servers").display().to_string()
    }

    fn command(&self) -> String {
        let (script, folder, port) = (Self::script(), self.folder.display(), self.port);
        format!("'{script}' postgres '{folder}' {port} >'{folder}.out' 2>&1")
    }

    fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let stop = [Self::script().as_str(), "stop"].map(str::to_owned);
        let _ = Command::new(&stop[0]).arg(&stop[1]).arg(&self.folder).output();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn a_server_that_is_killed_again_and_again_keeps_its_promise() {
    let Some(server) = Server::start("killed") else { return };
    let place = folder("killed");
    let pid = server.folder.join("pid").display().to_string();
    let (url, restart) = (server.url(), server.command());
    let recorded = run_in(
        &place,
        &[
            &["record", &url, "--level", "serializable", "--workload", "pairs", "--keys", "50"][..],
            &["--sessions", "8", "--for", "8s", "--fault", "cut,kill,pause"],
            &["--fault-every", "700ms", "--server-pid", &pid, "--restart", &restart],
        ]
        .concat(),
    );
    assert_eq!(recorded.code, 0, "{recorded:#?}");
    let trace = fs::read_to_string(place.join("trace.jsonl")).expect("a trace");
    for note in ["connections cut", "server killed", "server started again", "server paused"] {
        assert!(trace.contains(note), "{note}: {recorded:#?}");
    }
    accepted(&place, "serializable");
}

#[test]
fn a_recorder_that_is_killed_leaves_a_trace_that_can_be_judged() {
    for (name, url) in [("killed-sqlite", "sqlite:"), ("killed-memory", "memory:")] {
        let place = folder(name);
        let args = ["record", url, "-w", "pairs", "--for", "60s", "--keys", "50", "-s", "6"];
        let mut recorder = tristan(&args).current_dir(&place).spawn().expect("it starts");
        thread::sleep(Duration::from_millis(1500));
        recorder.kill().expect("it can be killed");
        recorder.wait().expect("it ends");
        let stats = run_in(&place, &["stats", "trace.jsonl"]);
        assert_eq!(stats.code, 0, "{stats:#?}");
        assert!(!stats.out.contains("(0 committed"), "{stats:#?}");
        accepted(&place, "serializable");
    }
}
