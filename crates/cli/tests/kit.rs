//! What a build server gets: defaults from `tristan.toml`, and the action, whose steps are run as they
//! stand in its definition.

#![allow(clippy::panic, reason = "helpers of tests")]

use crate::common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{GOOD, OPEN, Run, VIOLATED, file, finish, folder, root, tristan};

fn run_in(place: &Path, args: &[&str]) -> Run {
    finish(tristan(args).current_dir(place).output().expect("it starts"))
}

/// A project with a file of defaults, a good trace and a bad one.
fn project(name: &str, config: &str) -> PathBuf {
    let place = folder(name);
    fs::create_dir_all(place.join("runs")).expect("a folder");
    fs::create_dir_all(place.join("below/deeper")).expect("folders");
    file(&place.join("runs"), "good.jsonl", GOOD);
    file(&place.join("runs"), "bad.jsonl", VIOLATED);
    file(&place, "tristan.toml", config.as_bytes());
    place
}

#[test]
fn a_project_says_once_what_is_promised() {
    let config = "level = 'rc'\ntraces = ['runs']\noutput = ['junit=junit.xml']\nthreads = 1\n\
                  time = '60s'\ncertify = true\n";
    let place = project("kit-project", config);
    for from in ["", "below", "below/deeper"] {
        let run = run_in(&place.join(from), &["check"]);
        assert_eq!(run.code, 1, "{run:#?}");
        assert!(run.out.contains("good.jsonl   ACCEPT   read-committed"), "{}", run.out);
        assert!(run.out.contains("bad.jsonl   REJECT   read-committed"), "{}", run.out);
        let junit = fs::read_to_string(place.join("junit.xml")).expect("written beside the file");
        assert!(junit.contains("read-committed"), "{junit}");
        fs::remove_file(place.join("junit.xml")).expect("it was there");
    }
}

#[test]
fn what_is_typed_wins() {
    let place = project("kit-typed", "level = 'rc'\ntraces = ['runs/bad.jsonl']\n");
    assert_eq!(run_in(&place, &["check"]).code, 1);
    let run = run_in(&place, &["check", "--level", "read-uncommitted"]);
    assert_eq!(run.code, 0, "{run:#?}");
    let run = run_in(&place, &["check", "runs/good.jsonl"]);
    assert_eq!(run.code, 0, "{run:#?}");
    assert!(run.out.contains("read-committed"), "{}", run.out);
    assert_eq!(run_in(&place, &["check", "--demo"]).code, 0);
    assert_eq!(run_in(&place, &["check", "--no-config"]).code, 64);
    let other = file(&place, "other.toml", b"level = 'read-uncommitted'\ntraces = ['runs']\n");
    assert_eq!(run_in(&place, &["check", "--config", &other]).code, 0);
    assert_eq!(run_in(&place, &["check", "--config", "missing.toml"]).code, 66);
    // Commands without defaults do not even look.
    fs::write(place.join("tristan.toml"), "nonsense").expect("a file");
    assert_eq!(run_in(&place, &["stats", "runs/good.jsonl"]).code, 0);
}

#[test]
fn shrink_and_levels_have_defaults_too() {
    let config = "level = 'rc'\ntraces = ['runs/bad.jsonl']\noutput = ['json=v.json']\n";
    let place = project("kit-shrink", config);
    let run = run_in(&place, &["shrink"]);
    assert_eq!(run.code, 0, "{run:#?}");
    assert!(run.out.contains("\"note\""), "{}", run.out);
    assert_eq!(run_in(&place, &["levels"]).code, 0);
    assert!(place.join("v.json").exists());
}

#[test]
fn unknown_counts_as_the_project_says() {
    let place = project("kit-unknown", "level = 'ser'\nunknown-as = 'accept'\n");
    file(&place, "open.jsonl", OPEN);
    assert_eq!(run_in(&place, &["check", "open.jsonl"]).code, 0);
    assert_eq!(run_in(&place, &["check", "open.jsonl", "--unknown-as", "reject"]).code, 1);
    assert_eq!(run_in(&place, &["check", "open.jsonl", "--no-config", "--level", "ser"]).code, 2);
}

#[test]
fn a_wrong_file_is_told_with_its_line() {
    for (config, line, told) in [
        ("level = 'rc'\nlevle = 'rc'\n", 2, "\"levle\", expected one of level"),
        ("\n\ntime = 'soon'\n", 3, "--time"),
        ("threads = 'x'\n", 1, "--threads"),
        ("level = 'rc\n", 1, ""),
        ("level = 'rc'\noutput = ['paper=x']\n", 2, "--output"),
        ("level = { name = 'rc' }\n", 1, "expected a string"),
        ("certify = 'maybe'\n", 1, "--certify"),
    ] {
        let place = project("kit-wrong", config);
        let run = run_in(&place, &["check", "runs/good.jsonl"]);
        assert_eq!(run.code, 64, "{config}: {run:#?}");
        assert!(run.err.starts_with(&format!("tristan.toml:{line}: ")), "{config}: {}", run.err);
        assert!(run.err.contains(told), "{config}: {}", run.err);
    }
}

/// A step of the action that is run by a shell.
struct Step {
    env: BTreeMap<String, String>,
    run: String,
}

/// The shell steps of the action, from its definition. YAML as far as this file uses it.
fn steps() -> Vec<Step> {
    let text = fs::read_to_string(root().join("action/action.yml")).expect("the definition");
    let (_, steps) = text.split_once("\n  steps:\n").expect("steps");
    let mut found = Vec::new();
    for step in steps.split("    - name: ").skip(1) {
        let Some((before, run)) = step.split_once("      run: |\n") else { continue };
        assert!(before.contains("shell: bash"), "composite steps must name their shell: {before}");
        let env = before.lines().filter(|line| line.starts_with("        "));
        let env = env.map(|line| line.trim().split_once(": ").expect("a name and a value"));
        let env = env.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let run = run.lines().map(|line| line.strip_prefix("        ").unwrap_or(line));
        found.push(Step { env, run: run.collect::<Vec<_>>().join("\n") });
    }
    found
}

/// Runs the steps as GitHub does; the exit code of the last, and what was printed.
fn act(place: &Path, inputs: &[(&str, &str)]) -> (i32, String) {
    let (output, summary) = (place.join("output"), place.join("summary.md"));
    let mut printed = String::new();
    let mut code = 0;
    for step in steps() {
        let mut command = Command::new("bash");
        command.args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", &step.run]);
        command.current_dir(place).env("PATH", path()).env("GITHUB_ACTION_PATH", "action");
        command.env("GITHUB_OUTPUT", &output).env("GITHUB_STEP_SUMMARY", &summary);
        for (name, expression) in &step.env {
            command.env(name, value(expression, inputs, &output));
        }
        let run = finish(command.output().expect("a shell"));
        printed.push_str(&run.out);
        code = run.code;
        if code != 0 {
            printed.push_str(&run.err);
            break;
        }
    }
    (code, printed)
}

/// Programs are found as usual, and tristan first.
fn path() -> String {
    let tristan = Path::new(env!("CARGO_BIN_EXE_tristan")).parent().expect("a folder");
    format!("{}:{}", tristan.display(), std::env::var("PATH").unwrap_or_default())
}

/// What `${{ … }}` stands for.
fn value(expression: &str, inputs: &[(&str, &str)], output: &Path) -> String {
    let inner = expression.trim_start_matches("${{ ").trim_end_matches(" }}");
    if let Some(name) = inner.strip_prefix("inputs.") {
        let given = inputs.iter().find(|(known, _)| *known == name);
        return given.map_or_else(|| usual(name), |(_, value)| (*value).to_owned());
    }
    let name = inner.strip_prefix("steps.check.outputs.").expect("an input or an output");
    let lines = fs::read_to_string(output).expect("outputs of steps");
    let line = lines.lines().rev().find_map(|line| line.strip_prefix(&format!("{name}=")));
    line.expect("this output").to_owned()
}

/// The default of an input, from the definition.
fn usual(name: &str) -> String {
    let text = fs::read_to_string(root().join("action/action.yml")).expect("the definition");
    let (_, input) = text.split_once(&format!("\n  {name}:\n")).expect("an input of that name");
    let (_, usual) = input.split_once("    default: ").expect("a default");
    usual.lines().next().unwrap_or_default().trim_matches('"').to_owned()
}

#[test]
fn the_action_tells_a_violation_and_fails() {
    let place = folder("kit-action-reject");
    file(&place, "run.jsonl", VIOLATED);
    let (code, told) = act(&place, &[("trace", "run.jsonl"), ("level", "rc")]);
    assert_eq!(code, 1, "{told}");
    assert!(told.contains("::error file=run.jsonl"), "{told}");
    assert!(told.contains("REJECT   read-committed"), "{told}");
    let summary = fs::read_to_string(place.join("summary.md")).expect("a summary");
    assert!(summary.contains("read-committed"), "{summary}");
    for file in ["verdict.txt", "verdict.json", "report.html", "junit.xml", "summary.md"] {
        let size = fs::metadata(place.join("tristan-reports").join(file)).expect(file).len();
        assert!(size > 0, "{file} is empty");
    }
}

#[test]
fn the_action_passes_what_holds_and_takes_more_arguments() {
    let place = folder("kit-action-accept");
    file(&place, "run.jsonl", GOOD);
    let inputs = [("trace", "run.jsonl"), ("level", "ser"), ("arguments", "--time 60s --certify")];
    let (code, told) = act(&place, &inputs);
    assert_eq!(code, 0, "{told}");
    file(&place, "open.jsonl", OPEN);
    let open = [("trace", "open.jsonl"), ("level", "ser"), ("reports", "other")];
    assert_eq!(act(&place, &open).0, 2);
    let lenient = [&open[..], &[("unknown-as", "accept")]].concat();
    assert_eq!(act(&place, &lenient).0, 0);
    assert!(place.join("other/report.html").exists());
}

#[test]
fn the_action_takes_a_project_as_it_is() {
    let place = project("kit-action-project", "level = 'rc'\ntraces = ['runs/good.jsonl']\n");
    let (code, told) = act(&place, &[]);
    assert_eq!(code, 0, "{told}");
    assert!(told.contains("good.jsonl   ACCEPT   read-committed"), "{told}");
}
