//! Every command in the documentation is run, and what it is said to print is what it prints.
//!
//! In a ```` ```console ```` block a line `$ tristan …` is a command; `# exit 1` behind it
//! names its exit code, 0 if there is none. Lines below it are its output; a line `...` stands
//! for any lines, and no lines at all for any output. With `UPDATE_EXPECT=1` in the environment
//! outputs without such dots are rewritten.

#![allow(clippy::panic, reason = "helpers of tests")]

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Run, finish, folder, root, tristan};

struct Example {
    line: String,
    command: String,
    code: i32,
    output: Vec<String>,
}

#[test]
fn every_documented_command_does_what_the_documentation_says() {
    let place = workplace();
    let mut count = 0;
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    for page in pages() {
        let mut text = fs::read_to_string(&page).expect("the page can be read");
        for example in examples(&text) {
            let run = execute(&place, &example.command);
            let told = format!("{}: $ {}\n{run:#?}", page.display(), example.command);
            assert_eq!(run.code, example.code, "{told}");
            let printed: Vec<&str> = run.out.lines().chain(run.err.lines()).collect();
            if update && !example.output.iter().any(|line| line.trim() == "...") {
                text =
                    text.replacen(&block(&example, &example.output), &block(&example, &printed), 1);
            } else {
                assert!(matches(&example.output, &printed), "{told}\n{}{}", run.out, run.err);
            }
            count += 1;
        }
        if update {
            fs::write(&page, text).expect("the page can be written");
        }
    }
    assert!(count >= 15, "only {count} commands were found");
}

/// README and everything under docs.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    for entry in fs::read_dir(root().join("docs")).expect("a folder of pages") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    pages.sort();
    pages
}

/// A folder that looks like the repository to the commands, where they may write.
fn workplace() -> PathBuf {
    let place = folder("docs");
    for from in ["examples-traces", "docs/examples", "crates/cli/demo"] {
        copy_folder(&root().join(from), &place.join(from));
    }
    place
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("examples") {
        let path = entry.expect("an entry").path();
        let copy = to.join(path.file_name().expect("a file name"));
        match path.is_dir() {
            true => copy_folder(&path, &copy),
            false => drop(fs::copy(&path, copy).expect("a copy")),
        }
    }
}

fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    let mut ours = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
            ours = false;
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            ours = command.starts_with("tristan ");
            if ours {
                let (command, code) = split_code(command);
                examples.push(Example { line: line.to_owned(), command, code, output: Vec::new() });
            }
        } else if let Some(example) = examples.last_mut().filter(|_| inside && ours) {
            example.output.push(line.to_owned());
        }
    }
    examples
}

fn split_code(command: &str) -> (String, i32) {
    match command.split_once("# exit ") {
        Some((command, code)) => (command.to_owned(), code.trim().parse().expect("a number")),
        None => (command.split(" #").next().unwrap_or(command).to_owned(), 0),
    }
}

/// The words of a command line; what stands between single quotes is one word.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (place, part) in command.split('\'').enumerate() {
        match place % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

/// Runs a command line; it may send its output to a file with `>`.
fn execute(place: &PathBuf, command: &str) -> Run {
    let (command, file) = match command.split_once(" > ") {
        Some((command, file)) => (command, Some(file.trim())),
        None => (command, None),
    };
    let words = words(command);
    let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    let mut run = finish(tristan(&words).current_dir(place).output().expect("it starts"));
    if let Some(file) = file {
        fs::write(place.join(file), std::mem::take(&mut run.out)).expect("a file");
    }
    run
}

/// The command and an output as they stand on a page; a command without output stays so.
fn block(example: &Example, output: &[impl AsRef<str>]) -> String {
    let mut block = format!("{}\n", example.line);
    for line in output.iter().filter(|_| !example.output.is_empty()) {
        block.push_str(line.as_ref().trim_end());
        block.push('\n');
    }
    block
}

fn matches(expected: &[String], printed: &[&str]) -> bool {
    match expected {
        [] => true,
        _ => matches_from(expected, printed),
    }
}

fn matches_from(expected: &[String], printed: &[&str]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((dots, rest)) if dots.trim() == "..." => {
            (0..=printed.len()).any(|skip| matches_from(rest, &printed[skip..]))
        }
        Some((line, rest)) => printed
            .split_first()
            .is_some_and(|(first, others)| same_words(first, line) && matches_from(rest, others)),
    }
}

/// How columns are aligned depends on lines that an example may leave out.
fn same_words(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}

#[test]
fn dots_stand_for_any_lines() {
    let page = "```console\n$ tristan levels  # exit 2\na\n...\nz\n```\n";
    let example = &examples(page)[0];
    assert_eq!((example.command.trim(), example.code), ("tristan levels", 2));
    assert!(matches(&example.output, &["a", "b", "z"]) && matches(&example.output, &["a", "z"]));
    assert!(!matches(&example.output, &["a", "b"]));
}
