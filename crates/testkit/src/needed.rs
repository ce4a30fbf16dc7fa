//! What a test needs from outside of the repository. A test whose server or program is missing is skipped, unless
//! `TRISTAN_REQUIRE` names it, as in `postgres mariadb z3`; then the test fails.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// What a test needs, if it is there. Fails if it is missing and required; otherwise says that the test is skipped.
pub fn found<T>(name: &str, thing: Option<T>) -> Option<T> {
    if thing.is_none() {
        let required = std::env::var("TRISTAN_REQUIRE").unwrap_or_default();
        let is_required = required.split_whitespace().any(|one| one == name);
        assert!(!is_required, "{name} is missing, and TRISTAN_REQUIRE names it");
        let thread = std::thread::current();
        let test = thread.name().unwrap_or("a test");
        // Written past the test harness, which shows what a test prints only if it fails.
        let _ = writeln!(std::io::stderr(), "skipped: {test}: {name} is missing");
    }
    thing
}

/// The address of a server, from a variable such as `TRISTAN_POSTGRES`; its name is `postgres`.
pub fn server_at(variable: &str) -> Option<String> {
    let name = variable.trim_start_matches("TRISTAN_").to_lowercase();
    found(&name, std::env::var(variable).ok().filter(|address| !address.is_empty()))
}

/// A program that can be started, by its name.
pub fn program(name: &str) -> Option<&str> {
    found(name, starts(name).then_some(name))
}

/// z3, from the path or from `TRISTAN_Z3`.
pub fn z3() -> Option<String> {
    let program = std::env::var("TRISTAN_Z3").unwrap_or_else(|_| "z3".to_owned());
    let works = starts(&program);
    found("z3", works.then_some(program))
}

fn starts(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null());
    command.output().is_ok_and(|output| output.status.success())
}
