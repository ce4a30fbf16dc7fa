//! `tristan.toml`: defaults for `check`, `levels` and `shrink`, so that a project says once what its
//! database promises.
//!
//! ```toml
//! level = "snapshot-isolation"
//! traces = ["runs"]
//! output = ["html=report.html", "junit=junit.xml"]
//! time = "60s"
//! ```
//!
//! An entry is a flag by its long name. It is put on the command line unless it stands there already,
//! so it means what the flag means, and what is typed wins. Paths in the file start from its folder.

use std::ffi::OsString;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::args::Cli;
use crate::exit::{CommandError, Exit, OrExit};

/// The name that is looked for.
const FILE: &str = "tristan.toml";
/// The commands that have defaults.
const COMMANDS: [&str; 3] = ["check", "levels", "shrink"];
/// What can be said, apart from [`TRACES`].
const FLAGS: [&str; 15] = [
    "level",
    "spec",
    "from",
    "initial",
    "semantics",
    "own-writes",
    "clock-drift",
    "time",
    "memory",
    "passes",
    "threads",
    "certify",
    "progress",
    "unknown-as",
    OUTPUT,
];
/// The only thing that is no flag.
const TRACES: &str = "traces";
const OUTPUT: &str = "output";

/// Why there are no arguments to work with.
pub(crate) enum ArgumentsError {
    /// The command line is wrong, or asks for help.
    Typed(clap::Error),
    /// The file is wrong.
    File(CommandError),
}

impl From<clap::Error> for ArgumentsError {
    fn from(error: clap::Error) -> Self {
        Self::Typed(error)
    }
}

impl From<CommandError> for ArgumentsError {
    fn from(failure: CommandError) -> Self {
        Self::File(failure)
    }
}

/// What was typed, with what the file adds to it.
pub(crate) fn arguments(typed: Vec<OsString>) -> Result<Cli, ArgumentsError> {
    let matches = Cli::command().try_get_matches_from(&typed)?;
    let Some((name, given)) = matches.subcommand().filter(|(name, _)| COMMANDS.contains(name))
    else {
        return Ok(Cli::from_arg_matches(&matches)?);
    };
    let Some(path) = find(&matches)? else { return Ok(Cli::from_arg_matches(&matches)?) };
    let file = Config::read(&path)?;
    let all = Cli::command().try_get_matches_from(file.added(typed, name, given)?)?;
    Ok(Cli::from_arg_matches(&all)?)
}

/// The file that was asked for, or the nearest one.
fn find(matches: &ArgMatches) -> Result<Option<PathBuf>, CommandError> {
    if matches.get_flag("no_config") {
        return Ok(None);
    }
    if let Some(path) = matches.get_one::<PathBuf>("config") {
        return Ok(Some(path.clone()));
    }
    let here = std::env::current_dir().context("the working directory").or_exit(Exit::Usage)?;
    let found = here.ancestors().map(|folder| folder.join(FILE)).find(|path| path.is_file());
    // In the working directory the name alone is enough, and shorter to read.
    Ok(found.map(|path| match path.parent() == Some(&here) {
        true => PathBuf::from(FILE),
        false => path,
    }))
}

/// One entry: what it says, and where.
struct Entry {
    name: String,
    values: Vec<String>,
    line: usize,
}

/// A configuration file while it is read.
struct Config<'p> {
    path: &'p Path,
    entries: Vec<Entry>,
}

impl<'p> Config<'p> {
    fn read(path: &'p Path) -> Result<Self, CommandError> {
        let name = path.display();
        let text = fs::read_to_string(path)
            .with_context(|| name.to_string())
            .or_exit(Exit::MissingInput)?;
        let at = |span: Range<usize>| line_of(&text, span.start);
        let wrong = |line: usize, what: String| {
            CommandError::new(Exit::Usage, format!("{name}:{line}: {what}"))
        };
        let table = DeTable::parse(&text)
            .map_err(|error| wrong(error.span().map_or(1, at), error.message().to_owned()))?;
        let mut entries = Vec::new();
        for (key, value) in table.get_ref().iter() {
            let line = at(key.span());
            let told = key.get_ref().to_string();
            if told != TRACES && !FLAGS.contains(&told.as_str()) {
                let known = format!("{}, {TRACES}", FLAGS.join(", "));
                return Err(wrong(line, format!("found {told:?}, expected one of {known}")));
            }
            let values = values(value).map_err(|what| wrong(line, format!("{told}: {what}")))?;
            entries.push(Entry { name: told, values, line });
        }
        entries.sort_by_key(|entry| entry.line);
        Ok(Self { path, entries })
    }

    /// What was typed, with flags behind the name of the command and traces at the end.
    fn added(
        &self,
        typed: Vec<OsString>,
        command: &str,
        given: &ArgMatches,
    ) -> Result<Vec<OsString>, CommandError> {
        let flags = self.flags(command, given)?;
        let place = typed.iter().position(|word| word == command).map_or(1, |place| place + 1);
        let mut all = typed;
        let rest = all.split_off(place.min(all.len()));
        all.extend(flags.into_iter().map(OsString::from));
        all.extend(rest);
        if wants_traces(given) {
            all.extend(self.traces());
        }
        Ok(all)
    }

    /// The flags that the command knows and that were not typed.
    fn flags(&self, command: &str, given: &ArgMatches) -> Result<Vec<String>, CommandError> {
        let mut flags = Vec::new();
        let known = Cli::command();
        let known = known.find_subcommand(command);
        for entry in self.entries.iter().filter(|entry| entry.name != TRACES) {
            // The smallest trace is no report.
            if entry.name == OUTPUT && command == "shrink" {
                continue;
            }
            let mut arguments = known.into_iter().flat_map(|known| known.get_arguments());
            let flag = arguments.find(|flag| flag.get_long() == Some(&entry.name));
            let Some(flag) = flag else { continue };
            if given.value_source(flag.get_id().as_str()) == Some(ValueSource::CommandLine) {
                continue;
            }
            let words = self.words(entry, flag.get_action().takes_values());
            self.validate(entry, command, &words)?;
            flags.extend(words);
        }
        Ok(flags)
    }

    /// An entry as flags.
    fn words(&self, entry: &Entry, takes_value: bool) -> Vec<String> {
        let flag = &entry.name;
        let said = |value: &String| match (takes_value, value.as_str()) {
            (false, "false") => None,
            (false, "true") => Some(format!("--{flag}")),
            _ => Some(format!("--{flag}={}", self.placed(flag, value))),
        };
        entry.values.iter().filter_map(said).collect()
    }

    /// A value whose path starts from the folder of the file.
    fn placed(&self, flag: &str, value: &str) -> String {
        match (flag, value.split_once('=')) {
            (OUTPUT, Some((kind, file))) if file != "-" => format!("{kind}={}", self.path_of(file)),
            ("spec", _) => self.path_of(value),
            _ => value.to_owned(),
        }
    }

    fn path_of(&self, file: &str) -> String {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        folder.join(file).display().to_string()
    }

    fn traces(&self) -> impl Iterator<Item = OsString> {
        let entry = self.entries.iter().find(|entry| entry.name == TRACES);
        let paths = entry.into_iter().flat_map(|entry| &entry.values);
        // A path that starts with a hyphen is no flag.
        paths.map(|path| self.path_of(path)).map(|path| match path.starts_with('-') {
            true => Path::new(".").join(path).into_os_string(),
            false => path.into(),
        })
    }

    /// Tries an entry alone, to know whose fault it is.
    fn validate(&self, entry: &Entry, command: &str, words: &[String]) -> Result<(), CommandError> {
        let alone = ["tristan", command].into_iter().chain(words.iter().map(String::as_str));
        let Err(error) = Cli::command().try_get_matches_from(alone) else { return Ok(()) };
        let told = error.to_string();
        let told = told.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let message = format!("{}:{}: {told}", self.path.display(), entry.line);
        Err(CommandError::new(Exit::Usage, message))
    }
}

/// Whether no trace was typed where one could be.
fn wants_traces(given: &ArgMatches) -> bool {
    let says = |flag: &str| given.try_get_one::<bool>(flag).ok().flatten() == Some(&true);
    !given.contains_id("traces") && !says("demo") && !says("list")
}

/// What an entry says, as texts.
fn values(value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, String> {
    match value.get_ref() {
        DeValue::String(text) => Ok(vec![text.to_string()]),
        DeValue::Integer(number) => Ok(vec![number.to_string()]),
        DeValue::Boolean(yes) => Ok(vec![yes.to_string()]),
        DeValue::Array(all) => {
            all.iter().map(values).collect::<Result<Vec<_>, _>>().map(|all| all.concat())
        }
        _ => Err("expected a string, an integer, true or false, or a list of these".to_owned()),
    }
}

fn line_of(text: &str, place: usize) -> usize {
    let before = text.as_bytes().get(..place).unwrap_or_default();
    1 + before.iter().filter(|byte| **byte == b'\n').count()
}
