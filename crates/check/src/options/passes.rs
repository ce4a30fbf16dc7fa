//! Names of the passes, to switch them on and off. A pass changes no verdict, only the way there.

use std::fmt;
use std::str::FromStr;

/// A part of the pipeline that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pass {
    /// Leave out reads between the first and the last of a session that saw the same version, if
    /// ranges were read.
    Merge,
    /// Look for a witness that agrees with the hints of the trace before any other.
    Hints,
    /// Derive what every witness must contain, with chain clocks, before any guess.
    Saturate,
    /// Number transactions by times and session progress, not as the trace lists them: versions
    /// are first guessed in this order.
    Guess,
    /// Try session order as an assumption where the level does not demand it.
    Strengthen,
    /// Look for one serial execution as a whole, where most reads have several possible sources or many
    /// sessions stay open.
    Serial,
    /// Suppose sources of ambiguous reads, many at a time, and derive what follows.
    Suppose,
    /// Solve strongly connected remains on their own before the whole again.
    Localise,
    /// Leave transactions out of a refutation as long as it stays one.
    Minimise,
}

impl Pass {
    /// All passes, in the order they run.
    pub const ALL: [Self; 9] = [
        Self::Merge,
        Self::Hints,
        Self::Saturate,
        Self::Guess,
        Self::Strengthen,
        Self::Serial,
        Self::Suppose,
        Self::Localise,
        Self::Minimise,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Merge => "merge",
            Self::Hints => "hints",
            Self::Saturate => "saturate",
            Self::Guess => "guess",
            Self::Strengthen => "strengthen",
            Self::Serial => "serial",
            Self::Suppose => "suppose",
            Self::Localise => "localise",
            Self::Minimise => "minimise",
        }
    }
}

/// Which passes run; all of them by default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passes(Vec<Pass>);

impl Default for Passes {
    fn default() -> Self {
        Self(Pass::ALL.to_vec())
    }
}

impl Passes {
    /// Only these; if there are none, what is left is to guess, test and refine.
    pub fn only(passes: &[Pass]) -> Self {
        Self(Pass::ALL.into_iter().filter(|pass| passes.contains(pass)).collect())
    }

    /// All of these but one.
    pub fn without(&self, left_out: Pass) -> Self {
        Self(self.0.iter().copied().filter(|&pass| pass != left_out).collect())
    }

    /// Whether a pass runs.
    pub(crate) fn has(&self, pass: Pass) -> bool {
        self.0.contains(&pass)
    }
}

/// A list of passes that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown pass '{0}'; the passes are merge, hints, saturate, guess, strengthen, serial, suppose, localise, minimise"
)]
pub struct UnknownPassError(String);

/// `all`, `none`, `saturate,guess` (only these) or `-saturate,-guess` (all but these).
impl FromStr for Passes {
    type Err = UnknownPassError;

    fn from_str(text: &str) -> Result<Self, UnknownPassError> {
        let words: Vec<&str> =
            text.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
        let mut passes = match words.first() {
            Some(first) if first.starts_with('-') => Self::default(),
            _ => Self::only(&[]),
        };
        for word in words {
            match (word, word.strip_prefix('-')) {
                ("all", _) => passes = Self::default(),
                ("none", _) => passes = Self::only(&[]),
                (_, Some(left_out)) => {
                    let left_out = find(left_out)?;
                    passes.0.retain(|pass| *pass != left_out);
                }
                (wanted, None) => passes.0.push(find(wanted)?),
            }
        }
        passes.0.sort_unstable();
        passes.0.dedup();
        Ok(passes)
    }
}

impl fmt::Display for Passes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|pass| pass.name()).collect();
        out.write_str(&names.join(","))
    }
}

fn find(name: &str) -> Result<Pass, UnknownPassError> {
    let found = Pass::ALL.into_iter().find(|pass| pass.name() == name);
    found.ok_or_else(|| UnknownPassError(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_add_and_leave_out() {
        assert_eq!("all".parse(), Ok(Passes::default()));
        assert_eq!("none".parse(), Ok(Passes::only(&[])));
        assert_eq!("guess,saturate".parse(), Ok(Passes::only(&[Pass::Saturate, Pass::Guess])));
        let without = "-minimise".parse::<Passes>().expect("a known pass");
        assert!(!without.has(Pass::Minimise) && without.has(Pass::Saturate));
        assert!("fast".parse::<Passes>().is_err());
    }
}
