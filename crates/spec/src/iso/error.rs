//! What can be wrong with a level file.

use super::place::Place;
use super::syntax::Span;

/// A mistake in a level file, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .place.marked(&.kind.to_string()))]
pub struct IsoError {
    /// Where it stands.
    pub place: Place,
    /// What is wrong.
    pub kind: Box<IsoErrorKind>,
}

/// What can be wrong with a level file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IsoErrorKind {
    /// The file is no text.
    #[error("byte {offset} is not UTF-8")]
    Utf8 {
        /// Where in the file, from 0.
        offset: usize,
    },
    /// A character that means nothing in the language.
    #[error("unexpected character {0:?}")]
    Character(char),
    /// A word that starts like a number.
    #[error("a name starts with a letter; other names are written in quotes: \"{0}\"")]
    NameStart(String),
    /// A string without an end.
    #[error("this string is not closed: {0} is missing")]
    Unterminated(&'static str),
    /// Something else should stand here.
    #[error("found {found}, expected {expected}{}", did_you_mean(.nearest))]
    Expected {
        /// What stands there.
        found: String,
        /// What would have been right.
        expected: String,
        /// A keyword that was perhaps meant.
        nearest: Option<String>,
    },
    /// `and` and `or` side by side.
    #[error("`and` and `or` are mixed; use parentheses to say which comes first")]
    AndOr,
    /// Too many things inside each other.
    #[error("this is nested more than {0} deep")]
    TooDeep(u32),
    /// Too much once all definitions are written out.
    #[error("expanded, this has more than {0} parts")]
    TooLarge(u32),
    /// A file that defines nothing.
    #[error("nothing is defined here: expected `let`, `def`, `framework` or `level`")]
    Empty,
    /// A name that means nothing here.
    #[error("there is no {what} `{name}` here{}", did_you_mean(.nearest))]
    Unknown {
        /// What was looked for, e.g. `relation or set`.
        what: &'static str,
        /// The name that was used.
        name: String,
        /// The most similar name that would have been understood.
        nearest: Option<String>,
    },
    /// A key that no `forall` and no `U` binds.
    #[error("the key `{0}` is not bound by an enclosing `forall {0}.` or `U {0}.`")]
    UnknownKey(String),
    /// A name that already means something else.
    #[error("`{name}` already means something else: {meaning}")]
    Taken {
        /// The name that is defined again.
        name: String,
        /// What it means.
        meaning: String,
    },
    /// A framework or level whose names do not fit into this file.
    #[error("`{parent}` also defines `{name}`, which already means something else: {meaning}")]
    Brings {
        /// The framework or level.
        parent: String,
        /// The name that the parent defines.
        name: String,
        /// What it means already.
        meaning: String,
    },
    /// A definition that needs itself.
    #[error("`{}` is defined in terms of itself: {}", .0[0], path(.0))]
    Cycle(Vec<String>),
    /// Something of the wrong kind.
    #[error("`{name}` is {found}, where {expected} is needed")]
    Kind {
        /// What was written.
        name: String,
        /// What that is.
        found: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// The wrong number of arguments.
    #[error("`{name}` takes {}, not {given}", arguments(*.takes))]
    Arguments {
        /// The name of the macro.
        name: String,
        /// How many it takes.
        takes: usize,
        /// How many it was given.
        given: usize,
    },
    /// A composition or a union of relations that do not meet.
    #[error(
        "`{left}` {left_sorts} and `{right}` {right_sorts}: they cannot be joined by `{operator}`"
    )]
    Sorts {
        /// What stands between them.
        operator: &'static str,
        /// The first relation.
        left: String,
        /// What the first holds between.
        left_sorts: String,
        /// The second relation.
        right: String,
        /// What the second holds between.
        right_sorts: String,
    },
    /// A closure or a check that makes no sense for a relation between different things.
    #[error("`{operator}` needs a relation between {needed}, but `{relation}` {sorts}")]
    NotSquare {
        /// What was asked of it.
        operator: &'static str,
        /// What the relation should hold between.
        needed: &'static str,
        /// The text of the relation.
        relation: String,
        /// What it holds between.
        sorts: String,
    },
    /// Something that does not fit a macro's body.
    #[error("`{name}` is not valid with these arguments: {inner} (at {place})")]
    InMacro {
        /// The name of the macro.
        name: String,
        /// What is wrong in its body.
        inner: Box<IsoErrorKind>,
        /// Where in its body.
        place: String,
    },
}

/// A mistake and where it stands, before file and line are known.
#[derive(Clone, Debug)]
pub(super) struct SpannedError {
    pub(super) span: Span,
    pub(super) kind: Box<IsoErrorKind>,
}

impl SpannedError {
    pub(super) fn new(span: Span, kind: IsoErrorKind) -> Self {
        Self { span, kind: Box::new(kind) }
    }

    /// With the line it stands in.
    pub(super) fn place(self, file: &str, text: &str) -> IsoError {
        IsoError { place: Place::of(self.span, file, text), kind: self.kind }
    }
}

fn did_you_mean(name: &Option<String>) -> String {
    name.as_ref().map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

fn path(names: &[String]) -> String {
    let first = names.iter().chain(names.first());
    first.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" needs ")
}

fn arguments(count: usize) -> String {
    match count {
        0 => "no argument".to_owned(),
        1 => "one argument".to_owned(),
        _ => format!("{count} arguments"),
    }
}
