//! Other checkers, and the command lines that start them.
//!
//! A checker is a command line with holes: `{level}`, `{model}` (Elle's name for what is done),
//! `{out}` (an empty folder), and the history in the form that fits, such as `{plume}`, or
//! `{plume-folder}` for the folder it lies in. `{file}` is our simple form.
//!
//! The levels of different checkers are rarely the same to the letter; the table names the nearest
//! ones.

/// A checker whose arguments are known.
#[derive(Clone, Copy, Debug)]
pub struct KnownPeer {
    /// The name by which `--peer` finds it.
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

/// A checker to compare with.
#[derive(Clone, Debug)]
pub struct Peer {
    pub(crate) name: String,
    /// The words of its command line, with holes.
    pub(crate) words: Vec<String>,
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

    /// What it calls a level of ours; `None` if it does not check that level.
    pub(crate) fn level<'a>(&self, ours: &'a str) -> Option<&'a str> {
        match self.levels {
            None => Some(ours),
            Some(levels) => {
                levels.iter().find(|(name, _)| *name == ours).map(|(_, theirs)| *theirs)
            }
        }
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
