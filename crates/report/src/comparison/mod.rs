//! Two levels compared: which implies which, and the histories that tell them apart.
//!
//! ```text
//!   Comparison ─┬─► text   for the terminal
//!               └─► html   a page; the history that says no is drawn (figure.rs)
//! ```

mod figure;
mod page;
mod text;

pub use page::{Find, find, html};
pub use text::{history, text};

/// A history that some levels allow and others forbid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Separation {
    /// Sessions, each with its transactions: a name and what it does.
    pub sessions: Vec<Vec<(String, String)>>,
    /// The same on one line.
    pub line: String,
    /// What orders transactions by the clock, if that matters.
    pub clock: Option<String>,
    /// How large it is, as in `2 transactions, 1 key, 4 operations`.
    pub size: String,
    /// The levels that allow it, each with the witness that shows so.
    pub allowed: Vec<LevelReason>,
    /// The levels that forbid it, each with the reason.
    pub forbidden: Vec<LevelReason>,
}

/// Why a level allows or forbids a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelReason {
    /// The name of the level.
    pub level: String,
    /// What there is to say, line by line.
    pub lines: Vec<String>,
    /// What it runs into, step by step; empty if it allows the history, or if there are no steps to
    /// show.
    pub steps: Vec<Step>,
}

/// A step from a transaction to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it starts, by the name that the history has for it.
    pub from: String,
    /// Where it leads.
    pub to: String,
    /// The name of the relation that the step follows.
    pub relation: String,
    /// The key it is about, if there is one.
    pub key: Option<String>,
}

/// Whether one level implies another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComparisonAnswer {
    /// It does, for histories of any size; with the proof in short.
    Proved(Vec<String>),
    /// It does not.
    Refuted(Box<Separation>),
    /// No history up to this scope says otherwise.
    NoneFound(String),
    /// A limit was hit.
    Open(String),
}

/// Two levels, compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// One level.
    pub one: String,
    /// The name of the second level.
    pub other: String,
    /// Whether the first implies the second.
    pub forward: ComparisonAnswer,
    /// Whether the second implies the first.
    pub backward: ComparisonAnswer,
}

impl ComparisonAnswer {
    /// Whether the first level implies the second; `None` unless that is proved or refuted.
    fn holds(&self) -> Option<bool> {
        match self {
            Self::Proved(_) => Some(true),
            Self::Refuted(_) => Some(false),
            Self::NoneFound(_) | Self::Open(_) => None,
        }
    }

    /// The answer in a word: `proved`, `refuted`, `none-found` or `unknown`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Proved(_) => "proved",
            Self::Refuted(_) => "refuted",
            Self::NoneFound(_) => "none-found",
            Self::Open(_) => "unknown",
        }
    }
}

impl Comparison {
    /// How the first level relates to the second, in a word: `equivalent`, `stronger`, `weaker` or
    /// `incomparable` if both directions are proved or refuted; `no-difference-found` if nothing
    /// is refuted and the search came to its end; `unknown` otherwise.
    pub fn word(&self) -> &'static str {
        let searched = |answer: &ComparisonAnswer| {
            matches!(answer, ComparisonAnswer::Proved(_) | ComparisonAnswer::NoneFound(_))
        };
        match (self.forward.holds(), self.backward.holds()) {
            (Some(true), Some(true)) => "equivalent",
            (Some(true), Some(false)) => "stronger",
            (Some(false), Some(true)) => "weaker",
            (Some(false), Some(false)) => "incomparable",
            _ if searched(&self.forward) && searched(&self.backward) => "no-difference-found",
            _ => "unknown",
        }
    }

    /// Whether both directions are proved or refuted.
    pub fn is_decided(&self) -> bool {
        self.forward.holds().is_some() && self.backward.holds().is_some()
    }

    /// The same as a sentence.
    fn headline(&self) -> String {
        let Self { one, other, forward, backward } = self;
        match self.word() {
            "equivalent" => format!("{one} and {other} are equivalent."),
            "stronger" => format!("{one} is stronger than {other}."),
            "weaker" => format!("{one} is weaker than {other}."),
            "incomparable" => format!("{one} and {other} are incomparable."),
            "no-difference-found" => {
                let scope = match (forward, backward) {
                    (ComparisonAnswer::NoneFound(scope), _)
                    | (_, ComparisonAnswer::NoneFound(scope)) => scope,
                    _ => "the scope",
                };
                format!(
                    "No difference between {one} and {other} was found up to {scope}; their \
                     equivalence is not proved."
                )
            }
            _ => self.undecided(),
        }
    }

    /// What is known where one direction is open.
    fn undecided(&self) -> String {
        let Self { one, other, forward, backward } = self;
        let half = |allows: &str, forbids: &str, scope: &str| {
            format!(
                "{allows} does not imply {forbids}. Whether {forbids} implies {allows} is not \
                 proved; no counterexample was found up to {scope}."
            )
        };
        match (forward, backward) {
            (ComparisonAnswer::Refuted(_), ComparisonAnswer::NoneFound(scope)) => {
                half(one, other, scope)
            }
            (ComparisonAnswer::NoneFound(scope), ComparisonAnswer::Refuted(_)) => {
                half(other, one, scope)
            }
            _ => format!("How {one} and {other} compare is not decided."),
        }
    }
}

/// Whether one level implies another, as a word and a sentence.
fn told(one: &str, other: &str, answer: &ComparisonAnswer) -> (&'static str, String) {
    match answer {
        ComparisonAnswer::Proved(_) => {
            ("PROVED", format!("{one} implies {other}, for histories of any size."))
        }
        ComparisonAnswer::Refuted(separation) => {
            ("REFUTED", format!("{one} does not imply {other}: {}.", separation.size))
        }
        ComparisonAnswer::NoneFound(scope) => (
            "NONE FOUND",
            format!(
                "no history up to {scope} is allowed by {one} and forbidden by {other}. This is not \
                 a proof that {one} implies {other}."
            ),
        ),
        ComparisonAnswer::Open(reason) => {
            ("UNKNOWN", format!("whether {one} implies {other}: {reason}."))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Style;

    fn write_skew() -> Separation {
        let reason = |level: &str, line: &str| LevelReason {
            level: level.to_owned(),
            lines: vec![line.to_owned()],
            steps: Vec::new(),
        };
        Separation {
            sessions: vec![
                vec![("T1".to_owned(), "r(x,0) r(y,0) w(x)".to_owned())],
                vec![("T2".to_owned(), "r(x,0) r(y,0) w(y)".to_owned())],
            ],
            line: "r(x,0) r(y,0) w(x) | r(x,0) r(y,0) w(y)".to_owned(),
            clock: None,
            size: "2 transactions, 2 keys, 6 operations".to_owned(),
            allowed: vec![reason("si", "vo[x] = T0 T1, vo[y] = T0 T2")],
            forbidden: vec![reason("ser", "T1 rw T2 rw T1")],
        }
    }

    #[test]
    fn a_comparison_says_who_is_stronger_and_shows_the_history() {
        let comparison = Comparison {
            one: "ser".to_owned(),
            other: "si".to_owned(),
            forward: ComparisonAnswer::Proved(vec!["vo := vo".to_owned()]),
            backward: ComparisonAnswer::Refuted(Box::new(write_skew())),
        };
        assert_eq!(
            text(&comparison, Style::default()),
            "ser is stronger than si.\n\n\
             PROVED  ser implies si, for histories of any size.\n  vo := vo\n\n\
             REFUTED  si does not imply ser: 2 transactions, 2 keys, 6 operations.\n  \
             session 1  T1  r(x,0) r(y,0) w(x)\n  \
             session 2  T2  r(x,0) r(y,0) w(y)\n  \
             si allows it\n      vo[x] = T0 T1, vo[y] = T0 T2\n  \
             ser forbids it\n      T1 rw T2 rw T1\n"
        );
    }

    #[test]
    fn what_is_not_known_is_not_claimed() {
        let open = || ComparisonAnswer::Open("the time was up".to_owned());
        let none = || ComparisonAnswer::NoneFound("4 transactions, 2 keys".to_owned());
        let compared = |forward, backward| Comparison {
            one: "a".to_owned(),
            other: "b".to_owned(),
            forward,
            backward,
        };
        assert_eq!(compared(open(), none()).word(), "unknown");
        assert_eq!(compared(none(), none()).word(), "no-difference-found");
        assert!(!compared(none(), none()).is_decided());
        let told = text(&compared(none(), none()), Style::default());
        assert!(
            told.starts_with("No difference between a and b was found up to 4 trans"),
            "{told}"
        );
        assert!(told.contains("their equivalence is not\nproved."), "{told}");
        let text = text(&compared(none(), open()), Style::default());
        assert!(text.contains("NONE FOUND  no history up to 4 transactions, 2 keys"), "{text}");
        assert!(text.contains("UNKNOWN  whether b implies a: the time was up."), "{text}");
    }
}
