//! How people name levels, wherever levels are looked up.
//!
//! ```text
//!   "Strong_Session SER" ──► strong-session-ser ──► strong-session- + ser ──► (serializable, Session)
//! ```

use crate::Strength;

/// A name that stands for no level, or for more than one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.told())]
pub struct UnknownLevelError {
    /// What was asked for.
    pub name: String,
    /// Known names: those that sources use the name for if there are such, else those that are
    /// spelled most like it.
    pub nearest: Vec<String>,
    /// What sources mean by the name, if they mean something by it; one entry per nearest name.
    pub meanings: Vec<&'static str>,
}

impl UnknownLevelError {
    fn told(&self) -> String {
        let Self { name, nearest, meanings } = self;
        match meanings.len() {
            0 => {
                format!("unknown isolation level '{name}'; did you mean {}?", nearest.join(", "))
            }
            1 => format!(
                "unknown isolation level '{name}'; did you mean {} ({})?",
                nearest[0], meanings[0]
            ),
            _ => {
                let choice = |(name, meaning): (&String, &&str)| format!("\n  {name}: {meaning}");
                let choices: String = nearest.iter().zip(meanings).map(choice).collect();
                format!("'{name}' is the name of several isolation levels; choose one:{choices}")
            }
        }
    }
}

/// Something that has names and may exist in several strengths.
pub(crate) trait Nameable {
    fn name(&self) -> &str;

    /// Other names.
    fn aliases(&self) -> impl Iterator<Item = &str>;

    /// What the bare name means; `None` if there is only one form.
    fn natural(&self) -> Option<Strength>;

    /// The strengths it exists in.
    fn strengths(&self) -> &'static [Strength] {
        match self.natural() {
            Some(_) => &Strength::ALL,
            None => &[Strength::Plain],
        }
    }

    /// The shortest exact name at a strength.
    fn name_at(&self, strength: Strength) -> String {
        match self.natural() {
            Some(natural) if natural != strength => {
                format!("{}{}", strength.prefix(), self.name())
            }
            _ => self.name().to_owned(),
        }
    }

    /// Whether this is one of its names, as [`normal`] writes it.
    fn is_named(&self, wanted: &str) -> bool {
        normal(self.name()) == wanted || self.aliases().any(|alias| normal(alias) == wanted)
    }
}

/// Names that mean one definition at one strength, whatever its natural strength is.
pub(crate) const FIXED: [(&str, &str, Strength); 8] = [
    ("strict-serializable", "serializable", Strength::Strong),
    ("strict-serializability", "serializable", Strength::Strong),
    ("sser", "serializable", Strength::Strong),
    ("pl-ss", "serializable", Strength::Strong),
    ("prefix-consistent-si", "generalized-snapshot-isolation", Strength::Session),
    ("pc-si", "generalized-snapshot-isolation", Strength::Session),
    ("session-si", "generalized-snapshot-isolation", Strength::Session),
    ("session-snapshot-isolation", "generalized-snapshot-isolation", Strength::Session),
];

/// Names that no level has, with the levels that sources mean by them and what these are.
pub(crate) const MEANT: [(&str, &[(&str, &str)]); 17] = [
    ("strong-si", STRONG_SI),
    ("strong-session-si", STRONG_SESSION_SI),
    ("snapshot", &[("snapshot-isolation", "reads from one snapshot, no lost updates")]),
    ("snapshot-read", &[("snapshot-isolation", "reads from one snapshot, no lost updates")]),
    ("ssi", &[("serializable", "serializable snapshot isolation is a way to implement it")]),
    (
        "serializable-snapshot-isolation",
        &[("serializable", "serializable snapshot isolation is a way to implement it")],
    ),
    ("strict-ser", STRICT),
    ("strict", STRICT),
    ("external-consistency", STRICT),
    ("linearizable", LINEARIZABLE),
    ("linearizability", LINEARIZABLE),
    (
        "one-copy-serializable",
        &[("serializable", "one-copy serializability of a replicated database")],
    ),
    ("1sr", &[("serializable", "one-copy serializability of a replicated database")]),
    ("sequential", SEQUENTIAL),
    ("sequential-consistency", SEQUENTIAL),
    ("repeatable", &[("repeatable-read", "serializable for single items; phantoms are allowed")]),
    ("causal+", &[("causal", "convergence is part of it: versions have one order")]),
];

const STRONG_SI: &[(&str, &str)] = &[
    (
        "strong-generalized-snapshot-isolation",
        "Strong SI of Daudjee and Salem, Crooks et al. and Viper: commits follow the clock, and a \
         snapshot holds everything that was committed before its transaction began",
    ),
    (
        "strong-snapshot-isolation",
        "Elle's name for snapshot isolation with real-time order: a snapshot holds everything that \
         was committed before its transaction began, but may also hold what was committed later",
    ),
];

const STRONG_SESSION_SI: &[(&str, &str)] = &[
    (
        "strong-session-generalized-snapshot-isolation",
        "Strong session SI of Daudjee and Salem, Session SI of Crooks et al.: commits follow the \
         clock, and a snapshot is no newer than its transaction and no older than its session",
    ),
    (
        "strong-session-snapshot-isolation",
        "SI of Cerone and Gotsman, Elle's strong session SI: a snapshot holds what its session did \
         before; clocks do not count",
    ),
];

const STRICT: &[(&str, &str)] =
    &[("strict-serializable", "serializable in an order that agrees with real time")];

const LINEARIZABLE: &[(&str, &str)] = &[(
    "strict-serializable",
    "if every transaction is a single operation, strict serializability is linearizability",
)];

const SEQUENTIAL: &[(&str, &str)] = &[(
    "strong-session-serializable",
    "serializable in an order that agrees with each session; for single operations this is \
     sequential consistency",
)];

/// Prefixes that say a strength, longer ones first.
pub(crate) const PREFIXES: [(&str, Strength); 4] = [
    ("plain-", Strength::Plain),
    ("strong-session-", Strength::Session),
    ("ss-", Strength::Session),
    ("strong-", Strength::Strong),
];

/// Whether a name is the full name of a level, apart from letter case, spaces and underscores.
pub fn is_full_name(name: &str, level: &str) -> bool {
    normal(name) == level
}

/// A name as names are compared: lower case, with hyphens.
pub(crate) fn normal(name: &str) -> String {
    name.trim().to_lowercase().replace(['_', ' '], "-")
}

/// The one with this name, alias or explicit strength, whatever its letter case.
pub(crate) fn find<'a, N: Nameable + 'a>(
    known: impl Iterator<Item = &'a N> + Clone,
    name: &str,
) -> Result<(&'a N, Strength), UnknownLevelError> {
    let wanted = normal(name);
    let called = |wanted: &str| known.clone().find(|one| one.is_named(wanted));
    if let Some((_, meant)) = MEANT.iter().find(|(alias, _)| *alias == wanted)
        && called(&wanted).is_none()
    {
        let (nearest, meanings) =
            meant.iter().map(|(name, why)| ((*name).to_owned(), *why)).unzip();
        return Err(UnknownLevelError { name: name.to_owned(), nearest, meanings });
    }
    if let Some((_, one, strength)) = FIXED.iter().find(|(alias, _, _)| *alias == wanted) {
        let fixed = called(one).map(|one| (one, *strength));
        return fixed.ok_or_else(|| unknown(known, name, &wanted));
    }
    if let Some(one) = called(&wanted) {
        return Ok((one, one.natural().unwrap_or(Strength::Plain)));
    }
    for (prefix, strength) in PREFIXES {
        let one = wanted.strip_prefix(prefix).and_then(called);
        if let Some(one) = one.filter(|one| one.strengths().contains(&strength)) {
            return Ok((one, strength));
        }
    }
    Err(unknown(known, name, &wanted))
}

/// The most similar of some names, if any is similar at all.
pub(crate) fn nearest<'a>(
    wanted: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let near = |name: &&str| edit_distance(wanted, name) <= wanted.chars().count() / 2;
    known.into_iter().filter(near).min_by_key(|name| edit_distance(wanted, name))
}

fn unknown<'a, N: Nameable + 'a>(
    known: impl Iterator<Item = &'a N>,
    name: &str,
    wanted: &str,
) -> UnknownLevelError {
    let mut names: Vec<String> = Vec::new();
    for one in known {
        names.extend(one.strengths().iter().map(|&strength| one.name_at(strength)));
        names.extend(one.aliases().map(str::to_owned));
    }
    names.extend(FIXED.iter().map(|(alias, _, _)| (*alias).to_owned()));
    names.sort_by_key(|known| edit_distance(wanted, known));
    names.truncate(3);
    UnknownLevelError { name: name.to_owned(), nearest: names, meanings: Vec::new() }
}

/// How many letters must change to get from one word to the other (Levenshtein).
fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let change = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}
