//! What breaks while a database is recorded: servers, connections, the recorder itself. Traces stay
//! readable, and say what is not known.

use crate::common;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use common::{Run, finish, folder, root, server_at, signal, tristan, wait_until};

fn run_in(place: &Path, args: &[&str]) -> Run {
    finish(tristan(args).current_dir(place).output().expect("it starts"))
}

/// Starts the program in a folder.
fn start(place: &Path, args: &[&str]) -> Child {
    let mut command = tristan(args);
    command.current_dir(place).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("it starts")
}

/// What is in the trace so far.
fn trace(place: &Path) -> String {
    fs::read_to_string(place.join("trace.jsonl")).unwrap_or_default()
}

/// How many commits were called in a trace.
fn commits(trace: &str) -> usize {
    trace.matches(r#""op":"commit""#).count()
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
        server_at("TRISTAN_POSTGRES")?;
        let port = tristan_testkit::free_port();
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
    let args = [
        &["record", &url, "--level", "serializable", "--workload", "pairs", "--keys", "50"][..],
        &["--sessions", "8", "--for", "10m", "--fault", "cut,kill,pause"],
        &["--fault-every", "700ms", "--server-pid", &pid, "--restart", &restart],
    ]
    .concat();
    let recorder = start(&place, &args);
    let notes = ["connections cut", "server killed", "server restarted", "server paused"];
    wait_until("one fault of each kind", || {
        let trace = trace(&place);
        notes.iter().all(|note| trace.contains(note))
    });
    // It has to live on after the last of them.
    let so_far = commits(&trace(&place));
    wait_until("more commits", || commits(&trace(&place)) > so_far + 100);
    signal(&recorder, "-INT");
    let recorded = finish(recorder.wait_with_output().expect("it ends"));
    assert_eq!(recorded.code, 130, "{recorded:#?}");
    assert!(
        recorded.out.contains("faults") && recorded.out.contains("interrupted"),
        "{recorded:#?}"
    );
    accepted(&place, "serializable");
}

#[test]
fn a_recorder_that_is_killed_leaves_a_trace_that_can_be_judged() {
    for (name, url) in [("killed-sqlite", "sqlite:"), ("killed-memory", "memory:")] {
        let place = folder(name);
        let args = ["record", url, "-w", "pairs", "--for", "60s", "--keys", "50", "-s", "6"];
        let mut recorder = start(&place, &args);
        wait_until("some commits", || commits(&trace(&place)) > 100);
        recorder.kill().expect("it can be killed");
        recorder.wait().expect("it ends");
        let stats = run_in(&place, &["stats", "trace.jsonl"]);
        assert_eq!(stats.code, 0, "{stats:#?}");
        assert!(!stats.out.contains("(0 committed"), "{stats:#?}");
        accepted(&place, "serializable");
    }
}

#[test]
fn a_recorder_that_is_told_to_stop_sums_up() {
    for name in ["-INT", "-TERM"] {
        let place = folder(&format!("stopped{name}"));
        let args = ["record", "memory:", "-w", "pairs", "--for", "10m", "--keys", "50", "-s", "6"];
        let recorder = start(&place, &args);
        wait_until("some commits", || commits(&trace(&place)) > 100);
        signal(&recorder, name);
        let recorded = finish(recorder.wait_with_output().expect("it ends"));
        assert_eq!(recorded.code, 130, "{recorded:#?}");
        for part in ["transactions committed", "operations", "interrupted", "trace.jsonl"] {
            assert!(recorded.out.contains(part), "{part}: {recorded:#?}");
        }
        let next = recorded.out.lines().find_map(|line| line.trim().strip_prefix("next: tristan "));
        let next: Vec<&str> = next.expect("a command").split(' ').collect();
        assert_eq!(run_in(&place, &next).code, 0, "{next:?}");
    }
}

#[test]
fn a_recorder_whose_server_dies_sums_up() {
    let Some(server) = Server::start("dying") else { return };
    let place = folder("dying");
    let url = server.url();
    let args = ["record", &url, "-w", "pairs", "--for", "10m", "--keys", "50", "-s", "6"];
    let recorder = start(&place, &args);
    wait_until("some commits", || commits(&trace(&place)) > 50);
    drop(server);
    let recorded = finish(recorder.wait_with_output().expect("it ends"));
    assert_eq!(recorded.code, 66, "{recorded:#?}");
    for part in ["transactions committed", "ended early", "trace.jsonl", "next: tristan check"] {
        assert!(recorded.out.contains(part), "{part}: {recorded:#?}");
    }
    accepted(&place, "read-committed");
}

#[test]
fn a_full_disk_is_no_wrong_command_line() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let place = folder("full");
    let bank = root().join("examples-traces/bank.jsonl").display().to_string();
    for args in [
        &["record", "memory:", "-n", "100", "-o", "/dev/full"][..],
        &["convert", &bank, "/dev/full", "--to", "compact"],
        &["check", &bank, "--level", "read-committed", "-o", "json=/dev/full"],
    ] {
        let run = run_in(&place, args);
        assert_eq!(run.code, 74, "{args:?} {run:#?}");
        assert!(run.err.contains("/dev/full"), "{args:?} {run:#?}");
    }
}
