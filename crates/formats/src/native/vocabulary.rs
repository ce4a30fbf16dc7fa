//! The words of a trace line: its fields, its operations, and which belong together.
//!
//! The compact form of an operation is its call and its return merged into one line, so every
//! operation needs only two lists: fields that go in and fields that come out.

use Field as F;

/// Declares the fields with their names and what they mean.
macro_rules! fields {
    ($($variant:ident $name:literal $meaning:literal,)*) => {
        /// A field of a trace line.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Field { $(#[doc = $meaning] $variant,)* }

        impl Field {
            const ALL: &[Self] = &[$(Self::$variant,)*];

            pub(super) fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)* _ => None }
            }

            pub(super) fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)* }
            }
        }
    };
}

fields! {
    Tristan "tristan" "the format version",
    Initial "initial" "the state before the first transaction",
    Database "database" "the database observed",
    Level "level" "the isolation level",
    Assume "assume" "what the recorder vouches for",
    Open "open" "how transactions left open ended",
    Own "own" "what reads return for own writes",
    Order "order" "how keys are ordered",
    Times "times" "what times are",
    Call "call" "the id of the call",
    Return "return" "the id of the call that returned",
    Session "s" "the session",
    Txn "t" "the transaction",
    Op "op" "the operation",
    Key "k" "the key",
    Value "v" "the value",
    If "if" "when the write happens",
    Name "name" "the savepoint; \"abort\" undoes everything",
    Old "old" "the value before",
    Rows "rows" "how many rows were affected",
    Lo "lo" "the first key included",
    Hi "hi" "the first key excluded",
    Reverse "reverse" "whether high keys come first",
    Lock "lock" "whether the read takes a lock",
    Items "items" "the items returned",
    End "end" "whether the end of the range was reached",
    Unseen "unseen" "whether the result was not recorded",
    Error "error" "the error returned",
    Aborted "aborted" "whether the transaction certainly did not commit",
    At "at" "the time",
    Note "note" "the remark",
    From "from" "the transaction read from",
    Dead "dead" "the delete read from",
    Stamp "stamp" "the logical time",
    Hint "hint" "the kind of hint",
    Txns "txns" "the transactions in order",
    Context "ctx" "anything else",
}

/// Fields as a bit set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FieldSet(u64);

impl FieldSet {
    pub(super) const fn of(fields: &[Field]) -> Self {
        let mut bits = 0;
        let mut position = 0;
        while position < fields.len() {
            bits |= 1 << fields[position] as u64;
            position += 1;
        }
        Self(bits)
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) fn has(self, field: Field) -> bool {
        self.0 & (1 << field as u64) != 0
    }

    pub(super) fn has_any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Adds a field; false if it was there before.
    pub(super) fn insert(&mut self, field: Field) -> bool {
        let fresh = !self.has(field);
        self.0 |= 1 << field as u64;
        fresh
    }

    /// The first field that is here and not in `other`.
    pub(super) fn first_outside(self, other: Self) -> Option<Field> {
        let rest = self.0 & !other.0;
        (rest != 0).then(|| Field::ALL[rest.trailing_zeros() as usize])
    }
}

/// What a client asks the database to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Begin,
    Commit,
    Abort,
    Get,
    Put,
    Delete,
    Scan,
    Iter,
    Append,
    List,
    Rmw,
    Savepoint,
    Rollback,
    /// A `put` with a condition.
    PutIf,
}

/// The fields of one verb: those it must have and those it may have, going in and coming out.
pub(super) struct Shape {
    pub(super) needs: FieldSet,
    pub(super) takes: FieldSet,
    pub(super) gives: FieldSet,
    pub(super) may_give: FieldSet,
}

/// Hints speak of something that was seen.
const HINTS: FieldSet = FieldSet::of(&[F::From, F::Dead, F::Stamp]);

impl Shape {
    /// The fields an answer may have besides its result, if it came (`seen`) or did not.
    pub(super) fn answers(&self, seen: bool) -> FieldSet {
        let extra: &[Field] = match self.gives == FieldSet::default() {
            true => &[F::Error],
            false => &[F::Error, F::Unseen],
        };
        let may_give = if seen { self.may_give } else { self.may_give.without(HINTS) };
        may_give.and(FieldSet::of(extra))
    }
}

impl Verb {
    /// Every verb that has a name of its own.
    const ALL: [Self; 13] = [
        Self::Begin,
        Self::Commit,
        Self::Abort,
        Self::Get,
        Self::Put,
        Self::Delete,
        Self::Scan,
        Self::Iter,
        Self::Append,
        Self::List,
        Self::Rmw,
        Self::Savepoint,
        Self::Rollback,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Begin => "begin",
            Self::Commit => "commit",
            Self::Abort => "abort",
            Self::Get => "get",
            Self::Put | Self::PutIf => "put",
            Self::Delete => "delete",
            Self::Scan => "scan",
            Self::Iter => "iter",
            Self::Append => "append",
            Self::List => "list",
            Self::Rmw => "rmw",
            Self::Savepoint => "savepoint",
            Self::Rollback => "rollback",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verb| verb.name() == name)
    }

    pub(super) fn shape(self) -> Shape {
        let (needs, takes, gives, may_give): (&[F], &[F], &[F], &[F]) = match self {
            Self::Begin => (&[], &[F::Level], &[], &[F::Stamp]),
            Self::Commit => (&[], &[], &[], &[F::Aborted, F::Stamp]),
            Self::Abort => (&[], &[], &[], &[]),
            Self::Get => (&[F::Key], &[F::Lock], &[F::Value], &[F::From, F::Dead]),
            Self::Put | Self::Append => (&[F::Key, F::Value], &[], &[], &[]),
            Self::PutIf => (&[F::Key, F::Value, F::If], &[], &[F::Rows], &[]),
            Self::Delete => (&[F::Key], &[F::Value], &[], &[F::Rows]),
            Self::Scan => {
                (&[], &[F::Lo, F::Hi, F::Reverse, F::Lock], &[F::Items], &[F::From, F::Dead])
            }
            Self::Iter => {
                (&[], &[F::Lo, F::Hi, F::Reverse], &[F::Items, F::End], &[F::From, F::Dead])
            }
            Self::List => (&[F::Key], &[], &[F::Value], &[]),
            Self::Rmw => (&[F::Key, F::Value], &[], &[F::Old], &[F::From, F::Dead]),
            Self::Savepoint | Self::Rollback => (&[F::Name], &[], &[], &[]),
        };
        Shape {
            needs: FieldSet::of(needs),
            takes: FieldSet::of(takes),
            gives: FieldSet::of(gives),
            may_give: FieldSet::of(may_give),
        }
    }
}

/// The error message for an unknown operation.
pub(super) fn suggest_verb(name: &str) -> String {
    const ALIASES: &[(&str, &str)] = &[
        ("read", "get"),
        ("select", "get"),
        ("write", "put"),
        ("set", "put"),
        ("insert", "put"),
        ("update", "put"),
        ("remove", "delete"),
        ("cancel", "abort"),
        ("start", "begin"),
        ("range", "scan"),
    ];
    let names = Verb::ALL.map(Verb::name);
    match alias(name, ALIASES).or_else(|| nearest(name, &names)) {
        Some(meant) => format!("\"{meant}\", or another of {}", names.join(" ")),
        None => format!("one of {}", names.join(" ")),
    }
}

/// The error message for an unknown field.
pub(super) fn suggest_field(name: &str) -> String {
    const ALIASES: &[(&str, &str)] = &[
        ("session", "s"),
        ("txn", "t"),
        ("tx", "t"),
        ("transaction", "t"),
        ("key", "k"),
        ("value", "v"),
        ("val", "v"),
        ("time", "at"),
        ("ts", "at"),
        ("f", "op"),
        ("ret", "return"),
        ("err", "error"),
        ("locking", "lock"),
        ("savepoint", "name"),
        ("when", "if"),
    ];
    let names: Vec<&str> = Field::ALL.iter().map(|field| field.name()).collect();
    match alias(name, ALIASES).or_else(|| nearest(name, &names)) {
        Some(meant) => format!("\"{meant}\"{EXTRA}"),
        None => format!("a field of a trace line{EXTRA}"),
    }
}

const EXTRA: &str = " (data of your own goes into \"ctx\")";

/// How an error names a field that is missing.
pub(super) fn describe(field: Field) -> String {
    format!("\"{}\" ({})", field.name(), field.meaning())
}

fn alias(name: &str, known: &[(&str, &'static str)]) -> Option<&'static str> {
    known.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|&(_, meant)| meant)
}

/// The closest name, if it is close enough to be a slip of the fingers.
fn nearest(name: &str, names: &[&'static str]) -> Option<&'static str> {
    let (distance, best) =
        names.iter().map(|known| (edit_distance(name, known), *known)).min_by_key(|pair| pair.0)?;
    (distance < best.len().min(3)).then_some(best)
}

/// Letters to insert, delete or replace to get from one word to the other. Long words are not
/// slips, so only their beginning is compared.
fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (line, letter) in left.chars().take(24).enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, other) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_and_verb_is_found_by_its_name() {
        for &field in Field::ALL {
            assert_eq!(Field::from_name(field.name()), Some(field));
        }
        for verb in Verb::ALL {
            assert_eq!(Verb::from_name(verb.name()), Some(verb));
        }
    }

    #[test]
    fn slips_are_recognised_and_strangers_are_not() {
        assert_eq!(nearest("lokc", &["lock", "k"]), Some("lock"));
        assert_eq!(nearest("retrun", &["return"]), Some("return"));
        assert_eq!(nearest("colour", &["lock", "k", "note"]), None);
        assert!(suggest_verb("cancel").starts_with("\"abort\""));
    }
}
