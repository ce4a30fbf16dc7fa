//! Other checkers on the same history.
//!
//! A checker is a command line with holes: `{level}`, `{model}` (Elle's name for what is done),
//! `{out}` (an empty folder), and the history in the form that fits, such as `{plume}`, or
//! `{plume-folder}` for the folder it lies in. `{file}` is our simple form.
//!
//! The levels of different checkers are rarely the same to the letter; the table names the nearest
//! ones.

use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tristan_history::formats::WriteForm;

use crate::measure::{cpu_of_children, family, peak_of};
use crate::run::{Order, Runner};
use crate::scratch::Scratch;
use crate::{BenchError, Case, PeerRow};

/// A checker whose arguments are known.
#[derive(Clone, Copy, Debug)]
pub struct KnownPeer {
    /// Its name.
    pub name: &'static str,
    /// The command line; `{program}` is the path the user gives.
    pub command: &'static str,
    /// Our levels, and what it calls them.
    pub levels: &'static [(&'static str, &'static str)],
}

const ELLE_LEVELS: &[(&str, &str)] = &[
    ("read-committed", "read-committed"),
    ("consistent-view", "consistent-view"),
    ("snapshot-isolation", "snapshot-isolation"),
    ("repeatable-read", "repeatable-read"),
    ("serializable", "serializable"),
    ("strong-serializable", "strict-serializable"),
];

/// Checkers that need only a path.
pub const KNOWN_PEERS: [KnownPeer; 6] = [
    KnownPeer {
        name: "adya",
        command: "{program} check -m {model} -c {level} {elle}",
        levels: ELLE_LEVELS,
    },
    KnownPeer {
        name: "awdit",
        command: "{program} check --isolation {level} {plume}",
        levels: &[
            ("read-committed", "read-committed"),
            ("strong-session-read-committed", "read-committed"),
            ("read-atomic", "read-atomic"),
            ("causal", "causal"),
        ],
    },
    KnownPeer {
        name: "dbcop",
        command: "{program} verify --cons {level} --out_dir {out} --ver_dir {dbcop-folder}",
        levels: &[
            ("causal", "cc"),
            ("strong-session-snapshot-isolation", "si"),
            ("strong-session-serializable", "ser"),
        ],
    },
    KnownPeer {
        name: "elle",
        command: "java -jar {program} --model {model} --consistency-models {level} {elle}",
        levels: ELLE_LEVELS,
    },
    KnownPeer {
        name: "plume",
        command: "java -jar {program} -i {level} -t PLUME {plume}",
        levels: &[
            ("read-committed", "RC"),
            ("strong-session-read-committed", "RC"),
            ("read-atomic", "RA"),
            ("causal", "TCC"),
        ],
    },
    KnownPeer {
        name: "polysi",
        command: "java -jar {program} audit -t=TEXT {plume}",
        levels: &[("strong-session-snapshot-isolation", ""), ("snapshot-isolation", "")],
    },
];

/// How often a running checker is looked at.
const GLANCE: Duration = Duration::from_millis(5);

/// A checker to compare with.
#[derive(Clone, Debug)]
pub struct Peer {
    name: String,
    words: Vec<String>,
    /// What it calls our levels; without them, it gets our names.
    levels: Option<&'static [(&'static str, &'static str)]>,
}

impl Peer {
    /// Reads `NAME=PATH` of a checker that is known, or `NAME=COMMAND` with holes.
    ///
    /// # Errors
    /// If it is neither.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, value) = text
            .split_once('=')
            .filter(|(name, value)| !name.is_empty() && !value.trim().is_empty())
            .ok_or("expected NAME=PATH, or NAME=COMMAND containing {file}")?;
        if value.contains('{') {
            let words = value.split_whitespace().map(str::to_owned).collect();
            return Ok(Self { name: name.to_owned(), words, levels: None });
        }
        let names = KNOWN_PEERS.map(|peer| peer.name).join(", ");
        let known = KNOWN_PEERS.iter().find(|peer| peer.name == name).ok_or_else(|| {
            format!("the arguments of {name} are not known (known: {names}); give a whole command that contains {{file}}")
        })?;
        let word = |word: &str| word.replace("{program}", value);
        let words = known.command.split_whitespace().map(word).collect();
        Ok(Self { name: name.to_owned(), words, levels: Some(known.levels) })
    }

    /// Lets it check the history of a case. `ours` is the time that we took, from a file if we read
    /// one.
    pub(crate) fn run(
        &self,
        runner: &Runner,
        case: &Case,
        ours: Option<f64>,
    ) -> Result<PeerRow, BenchError> {
        let level = case.level()?.name;
        let Some(level) = self.level(&level) else {
            return Ok(PeerRow::skipped(&self.name, format!("does not check {level}")));
        };
        let scratch = Scratch::new()?;
        let mut words = self.words.clone();
        let out = scratch.folder("out")?;
        fill(&mut words, "{level}", level);
        fill(&mut words, "{model}", model(case));
        fill(&mut words, "{out}", &out.to_string_lossy());
        for form in WriteForm::ALL {
            if let Err(died) = self.write(runner, case, form, &scratch, &mut words)? {
                let note = format!("the history could not be written: {died}");
                return Ok(PeerRow::skipped(&self.name, note));
            }
        }
        self.measure(&words, scratch.path(), case.time.map(Duration::from_millis), ours)
    }

    fn level<'a>(&self, ours: &'a str) -> Option<&'a str> {
        match self.levels {
            None => Some(ours),
            Some(levels) => {
                levels.iter().find(|(name, _)| *name == ours).map(|(_, theirs)| *theirs)
            }
        }
    }

    /// Writes the history in a form, if the command asks for it.
    fn write(
        &self,
        runner: &Runner,
        case: &Case,
        form: WriteForm,
        scratch: &Scratch,
        words: &mut [String],
    ) -> Result<Result<(), String>, BenchError> {
        let name = form.name();
        let (hole, folder_hole) = (format!("{{{name}}}"), format!("{{{name}-folder}}"));
        if form == WriteForm::Simple {
            fill(words, "{file}", &hole);
        }
        if !words.iter().any(|word| word.contains(&hole) || word.contains(&folder_hole)) {
            return Ok(Ok(()));
        }
        let folder = scratch.folder(name)?;
        let path = folder.join(file_name(form));
        fill(words, &hole, &path.to_string_lossy());
        fill(words, &folder_hole, &folder.to_string_lossy());
        let order = Order::Write { case: case.clone(), form: name.to_owned(), path };
        Ok(runner.order(&order)?.map(drop))
    }

    fn measure(
        &self,
        words: &[String],
        place: &Path,
        limit: Option<Duration>,
        ours: Option<f64>,
    ) -> Result<PeerRow, BenchError> {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).current_dir(place);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let (started, cpu_before) = (Instant::now(), cpu_of_children());
        let child =
            command.spawn().map_err(BenchError::io(format!("{}: {}", self.name, words[0])))?;
        let (status, peak) = watch(child, limit).map_err(BenchError::io(self.name.clone()))?;
        let wall = started.elapsed().as_secs_f64();
        Ok(PeerRow {
            name: self.name.clone(),
            note: status.map_or("gave up".to_owned(), |status| status.to_string()),
            exit: status.and_then(|status| status.code()),
            wall: Some(wall),
            cpu: Some(cpu_of_children() - cpu_before),
            peak: Some(peak).filter(|peak| *peak > 0),
            times_ours: ours.filter(|ours| *ours > 0.0 && status.is_some()).map(|ours| wall / ours),
        })
    }
}

/// Waits for a process, or ends it when there is no time left. Returns how it ended, if it did so by
/// itself, and the most memory of it and of those it started.
fn watch(mut child: Child, limit: Option<Duration>) -> io::Result<(Option<ExitStatus>, u64)> {
    let started = Instant::now();
    let mut peak = 0;
    loop {
        let peaks = family(child.id()).into_iter().filter_map(|process| peak_of(&process));
        peak = peaks.fold(peak, u64::max);
        if let Some(status) = child.try_wait()? {
            return Ok((Some(status), peak));
        }
        if limit.is_some_and(|limit| started.elapsed() > limit) {
            child.kill()?;
            child.wait()?;
            return Ok((None, peak));
        }
        thread::sleep(GLANCE);
    }
}

fn fill(words: &mut [String], hole: &str, with: &str) {
    for word in words {
        *word = word.replace(hole, with);
    }
}

/// What Elle calls a workload.
fn model(case: &Case) -> &'static str {
    if case.workload == "list-append" { "list-append" } else { "rw-register" }
}

/// The name that checkers expect a history to have.
fn file_name(form: WriteForm) -> &'static str {
    match form {
        WriteForm::Events | WriteForm::Compact | WriteForm::Simple => "history.jsonl",
        WriteForm::Elle => "history.json",
        WriteForm::Dbcop => "history.bincode",
        WriteForm::Plume => "history.txt",
        _ => "history",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peers_are_known_or_have_holes() {
        let known = Peer::parse("awdit=bin/awdit").expect("a known one");
        assert_eq!(known.words[0], "bin/awdit");
        assert_eq!(known.level("causal"), Some("causal"));
        assert_eq!(known.level("serializable"), None);
        let own = Peer::parse("mine=prog -x {level} {file}").expect("one with holes");
        assert_eq!(own.level("serializable"), Some("serializable"));
        for odd in ["mine", "mine=", "=prog {file}", "mine=prog"] {
            assert!(Peer::parse(odd).is_err(), "{odd}");
        }
    }
}
