//! `tristan spec`: written levels listed, shown, checked and laid out.

use std::fs;
use std::io::Read;
use std::path::Path;

use anyhow::Context;
use tristan_report::{comparison, paragraph};
use tristan_spec::anomalies;
use tristan_spec::iso::{self, Definition, IsoLevel, Library};
use tristan_synth::gates::{SearchBudget, SearchLimits};
use tristan_synth::{
    AbstractHistory, HistoryOptions, Query, Scope, SynthesisOutcome, keeps, smallest,
};

use super::written::{self, separation};
use crate::args::{SpecArgs, SpecCommand};
use crate::complain;
use crate::exit::{CommandError, Exit, OrExit};
use crate::output::Output;

pub(super) fn run(args: &SpecArgs, out: &mut Output) -> Result<Exit, CommandError> {
    match &args.command {
        SpecCommand::List { files } => list(&written::library(files)?, out),
        SpecCommand::Show { level, files } => show(&written::library(files)?, level, out),
        SpecCommand::Check { files } => each(files, |file| check(file, out)),
        SpecCommand::Fmt { files, check } => each(files, |file| lay_out(file, *check, out)),
    }
}

/// Does `work` for every file. A bad file is told about and does not stop the others.
fn each(
    files: &[std::path::PathBuf],
    mut work: impl FnMut(&Path) -> Result<Exit, CommandError>,
) -> Result<Exit, CommandError> {
    let mut worst = Exit::Accept;
    for file in files {
        let exit = work(file).unwrap_or_else(|failure| {
            complain(&format!("{:#}", failure.error));
            failure.exit
        });
        worst = worst.or_worse(exit);
    }
    Ok(worst)
}

fn list(library: &Library, out: &mut Output) -> Result<Exit, CommandError> {
    let mut framework = None;
    for definition in library.definitions() {
        if framework != Some(definition.framework()) {
            framework = Some(definition.framework());
            let name =
                if definition.framework().is_empty() { "history" } else { definition.framework() };
            out.write(&format!("{name}\n"))?;
        }
        let form = definition.itself().form().name();
        out.write(&format!("  {:32} {:14} {}\n", definition.name(), form, definition.title()))?;
    }
    out.write(
        "\nNames with plain-, strong-session- and strong- say which orders count besides reads:\n\
         none, session order, session order and real time. tristan spec show NAME has the details.\n",
    )?;
    Ok(Exit::Accept)
}

fn show(library: &Library, name: &str, out: &mut Output) -> Result<Exit, CommandError> {
    let (definition, strength) = library.find_definition(name).or_exit(Exit::Usage)?;
    let level = definition.level(strength);
    out.write(&head(definition, level))?;
    out.write(&format!("\n{}\n", indented(library.source(definition))))?;
    let mut forbids = String::from("\n");
    paragraph(&mut forbids, out.style(), "forbids   ", &forbidden(level));
    out.write(&forbids)?;
    let query = Query {
        positive: Vec::new(),
        negative: vec![level.clone()],
        scope: Scope { txns: 4, keys: 2, values: None },
        options: HistoryOptions::default(),
    };
    match smallest(&query, &SearchLimits::default()).outcome {
        SynthesisOutcome::Found(answer) => {
            let told = separation::told(&answer, &[], std::slice::from_ref(level));
            let mut text = format!("\nsmallest history it rejects: {}\n", told.size);
            comparison::history(&mut text, out.style(), &told);
            out.write(&text)?;
        }
        SynthesisOutcome::None => {
            out.write("\nIt rejects no history with up to 4 transactions and 2 keys.\n")?;
        }
        SynthesisOutcome::Unknown(reason) => {
            out.write(&format!("\nsmallest history: {reason}\n"))?;
        }
    }
    Ok(Exit::Accept)
}

fn head(definition: &Definition, level: &IsoLevel) -> String {
    let mut text = format!("{}: {}\n", level.name, definition.title());
    if !definition.aliases().is_empty() {
        text.push_str(&format!("also      {}\n", definition.aliases().join(", ")));
    }
    let framework = if level.framework.is_empty() { "none" } else { &level.framework };
    text.push_str(&format!("framework {framework}; {} form\n", level.form().name()));
    if definition.strengths().len() > 1 {
        let names: Vec<&str> =
            definition.levels().iter().map(|level| level.name.as_str()).collect();
        text.push_str(&format!("strengths {}\n", names.join(", ")));
    }
    if !definition.doc().is_empty() {
        text.push_str(&format!("\n{}\n", definition.doc()));
    }
    text
}

/// The text of a definition without its doc lines, which stand above.
fn indented(text: &str) -> String {
    let lines = text.lines().skip_while(|line| line.trim_start().starts_with("///"));
    lines.map(|line| format!("    {line}")).collect::<Vec<String>>().join("\n")
}

/// The anomalies that have a name and that the level rejects.
fn forbidden(level: &IsoLevel) -> String {
    let rejected = anomalies::ALL.iter().filter(|anomaly| {
        let history: Result<AbstractHistory, _> = anomaly.history.parse();
        history.is_ok_and(|history| keeps(level, &history, &SearchBudget::default()) == Ok(false))
    });
    let names: Vec<&str> = rejected.map(|anomaly| anomaly.name).collect();
    if names.is_empty() { "no named anomaly".to_owned() } else { names.join(", ") }
}

/// Tells what is wrong or odd in a file.
fn check(file: &Path, out: &mut Output) -> Result<Exit, CommandError> {
    let (name, bytes) = read(file)?;
    let mut library = Library::standard().clone();
    library.add_bytes(&name, &bytes).or_exit(Exit::BadInput)?;
    for warning in library.lint(&name) {
        complain(&warning.to_string());
    }
    for definition in library.definitions().filter(|definition| definition.file() == name) {
        let form = definition.itself().form().name();
        out.write(&format!("{name}: {} is valid: {form} form\n", definition.name()))?;
    }
    Ok(Exit::Accept)
}

/// Lays a file out, or tells whether that would change it.
fn lay_out(file: &Path, only_tell: bool, out: &mut Output) -> Result<Exit, CommandError> {
    let (name, bytes) = read(file)?;
    let text = iso::utf8(&name, &bytes).or_exit(Exit::BadInput)?;
    let laid_out = iso::format(&name, text).or_exit(Exit::BadInput)?;
    let same = laid_out == text;
    if only_tell {
        if !same {
            out.write(&format!("{name} would change\n"))?;
        }
        return Ok(if same { Exit::Accept } else { Exit::Reject });
    }
    match file.as_os_str() == "-" {
        true => out.write(&laid_out)?,
        false if !same => {
            fs::write(file, laid_out).with_context(|| name.clone()).or_unwritten()?;
        }
        false => {}
    }
    Ok(Exit::Accept)
}

/// The name of a file for people, and what is in it.
fn read(file: &Path) -> Result<(String, Vec<u8>), CommandError> {
    if file.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin()
            .read_to_end(&mut bytes)
            .context("standard input")
            .or_exit(Exit::MissingInput)?;
        return Ok(("standard input".to_owned(), bytes));
    }
    let name = file.display().to_string();
    let bytes = fs::read(file).with_context(|| name.clone()).or_exit(Exit::MissingInput)?;
    Ok((name, bytes))
}
