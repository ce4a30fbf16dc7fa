//! Runs the binary and keeps what it said.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

pub use tristan_testkit::{root, server_at, wait_until};

/// What a run said.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// The binary, to be run at the root of the repository without the caller's colours.
pub fn tristan(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tristan"));
    command.args(args).current_dir(root()).env_remove("NO_COLOR").stdin(Stdio::null());
    command
}

/// Runs with arguments.
pub fn run(args: &[&str]) -> Run {
    finish(tristan(args).output().expect("the binary starts"))
}

/// Runs with arguments and standard input.
pub fn run_on(args: &[&str], input: &[u8]) -> Run {
    let mut command = tristan(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    // The program may stop reading early, when the input is bad enough.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    finish(child.wait_with_output().expect("the binary ends"))
}

pub fn finish(output: Output) -> Run {
    Run {
        code: output.status.code().expect("an exit code"),
        out: String::from_utf8(output.stdout).expect("text on standard output"),
        err: String::from_utf8(output.stderr).expect("text on standard error"),
    }
}

/// Sends a signal to a program, by the name that `kill` knows.
pub fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(sent.expect("kill starts").success(), "{name}");
}

/// An empty folder for one test.
pub fn folder(name: &str) -> PathBuf {
    tristan_testkit::folder(env!("CARGO_TARGET_TMPDIR"), name)
}

/// A file with this content; returns its path as text.
pub fn file(folder: &Path, name: &str, content: &[u8]) -> String {
    let path = folder.join(name);
    fs::write(&path, content).expect("a file can be written");
    path.to_str().expect("a path in UTF-8").to_owned()
}

/// A path as text.
pub fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// The exit codes at a few levels without clocks.
pub fn verdicts(trace: &Path) -> Vec<i32> {
    let levels = [
        "read-committed",
        "causal",
        "snapshot-isolation",
        "serializable",
        "strong-session-serializable",
    ];
    levels.map(|level| run(&["check", text(trace), "--level", level, "--certify"]).code).to_vec()
}

/// Whether a conversion lost nothing that changes a verdict at a level without clocks.
pub fn only_harmless(trace: &Path, complaints: &str) -> bool {
    let prefix = format!("{}: lost: ", trace.display());
    let loss = |line: &'_ str| line.strip_prefix(&prefix).unwrap_or(line).to_owned();
    let is_harmless = |loss: String| HARMLESS.iter().any(|known| loss.starts_with(known));
    complaints.lines().map(loss).all(is_harmless)
}

/// How losses start that change no verdict at a level without clocks.
const HARMLESS: [&str; 18] = [
    "the original keys",
    "the original values",
    "keys and values other than natural numbers",
    "that keys start absent",
    "names of ",
    "the names of ",
    "the database",
    "the claimed level",
    "the notes",
    "the hints",
    "times of transactions",
    "the numbers that order events",
    "times, because ",
    "return times of begin",
    "call times of commit or abort",
    "that a read and a write were one operation",
    "which operations of aborted transactions belong together",
    "errors of transactions",
];

/// A trace that every level accepts.
pub const GOOD: &[u8] = b"{\"s\":1,\"st\":\"c\",\"ops\":[[\"w\",\"x\",1]]}\n\
{\"s\":2,\"st\":\"c\",\"ops\":[[\"r\",\"x\",1]]}\n";
/// A trace with an aborted read.
pub const VIOLATED: &[u8] = b"{\"s\":1,\"st\":\"a\",\"ops\":[[\"w\",\"x\",1]]}\n\
{\"s\":2,\"st\":\"c\",\"ops\":[[\"r\",\"x\",1]]}\n";
/// A trace that cannot be read.
pub const BROKEN: &[u8] = b"{\"s\":1,\"st\":\"c\",\"ops\":[[\"jump\",\"x\",1]]}\n";
/// A trace that is not decided: an element appended twice.
pub const OPEN: &[u8] = b"{\"s\":1,\"st\":\"c\",\"ops\":[[\"a\",\"x\",1],[\"a\",\"x\",1]]}\n\
{\"s\":2,\"st\":\"c\",\"ops\":[[\"l\",\"x\",[1]]]}\n";
