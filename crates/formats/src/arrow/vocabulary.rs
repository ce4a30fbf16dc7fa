//! Names of columns, the words in them, and which columns belong to which operation.

use tristan_history::{OpKind, OpStatus, Outcome, Presence};

/// Declares columns with their names.
macro_rules! columns {
    ($(#[$meta:meta])* $type:ident { $($variant:ident $name:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum $type { $($variant,)* }

        impl $type {
            pub(super) const ALL: &[Self] = &[$(Self::$variant,)*];

            pub(super) fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            pub(super) fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|column| column.name() == name)
            }

            /// Its bit in a set of columns.
            pub(super) const fn bit(self) -> u32 {
                1 << self as u32
            }
        }
    };
}

columns! {
    /// A column of transactions.
    TxnColumn {
        Session "session",
        Txn "txn",
        Outcome "outcome",
        BeginCall "begin_call",
        BeginReturn "begin_return",
        EndCall "end_call",
        EndReturn "end_return",
        Level "level",
        Error "error",
        StartStamp "start_stamp",
        CommitStamp "commit_stamp",
        Ops "ops",
    }
}

columns! {
    /// A column of operations.
    OpColumn {
        Op "op",
        Status "status",
        Key "key",
        Value "value",
        Old "old",
        If "if",
        Rows "rows",
        Name "name",
        Lo "lo",
        Hi "hi",
        Reverse "reverse",
        Lock "lock",
        Items "items",
        Elements "elements",
        End "end",
        Unseen "unseen",
        From "from",
    }
}

impl TxnColumn {
    /// Whether it holds times or other numbers.
    pub(super) fn is_number(self) -> bool {
        matches!(
            self,
            Self::BeginCall
                | Self::BeginReturn
                | Self::EndCall
                | Self::EndReturn
                | Self::StartStamp
                | Self::CommitStamp
        )
    }
}

impl OpColumn {
    /// Whether it says yes or no.
    pub(super) fn is_flag(self) -> bool {
        matches!(self, Self::Reverse | Self::Lock | Self::End | Self::Unseen)
    }
}

/// Words for outcomes.
pub(super) const OUTCOMES: [(&str, Outcome); 3] = [
    ("committed", Outcome::Committed),
    ("aborted", Outcome::Aborted),
    ("unknown", Outcome::Unknown),
];

/// Words for how operations went.
pub(super) const STATUSES: [(&str, OpStatus); 3] =
    [("done", OpStatus::Done), ("pending", OpStatus::Pending), ("failed", OpStatus::Failed)];

/// Words for conditions.
pub(super) const CONDITIONS: [(&str, Presence); 2] =
    [("present", Presence::Present), ("absent", Presence::Absent)];

/// What a client asks the database to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
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
}

/// Words for operations.
pub(super) const VERBS: [(&str, Verb); 10] = [
    ("get", Verb::Get),
    ("put", Verb::Put),
    ("delete", Verb::Delete),
    ("scan", Verb::Scan),
    ("iter", Verb::Iter),
    ("append", Verb::Append),
    ("list", Verb::List),
    ("rmw", Verb::Rmw),
    ("savepoint", Verb::Savepoint),
    ("rollback", Verb::Rollback),
];

/// The columns of one verb: those it must have, those it may have, and those that tell its result.
pub(super) struct Shape {
    pub(super) needs: u32,
    pub(super) takes: u32,
    pub(super) gives: u32,
}

const KEY: u32 = OpColumn::Key.bit();
const VALUE: u32 = OpColumn::Value.bit();
const ROWS: u32 = OpColumn::Rows.bit();
const RANGE: u32 = OpColumn::Lo.bit() | OpColumn::Hi.bit() | OpColumn::Reverse.bit();
const ITEMS: u32 = OpColumn::Items.bit() | OpColumn::From.bit();
const SEEN: u32 = OpColumn::Unseen.bit() | OpColumn::From.bit();

impl Verb {
    /// The verb of an operation.
    pub(super) fn of(kind: &OpKind) -> Self {
        match kind {
            OpKind::Get { .. } => Self::Get,
            OpKind::Put { .. } | OpKind::PutIf { .. } => Self::Put,
            OpKind::Delete { .. } => Self::Delete,
            OpKind::Scan { .. } => Self::Scan,
            OpKind::Iterate { .. } => Self::Iter,
            OpKind::Append { .. } => Self::Append,
            OpKind::ReadList { .. } => Self::List,
            OpKind::ReadModifyWrite { .. } => Self::Rmw,
            OpKind::Savepoint { .. } => Self::Savepoint,
            OpKind::RollbackTo { .. } => Self::Rollback,
        }
    }

    /// Its columns.
    pub(super) const fn shape(self) -> Shape {
        let (needs, takes, gives) = match self {
            Self::Get => (KEY, OpColumn::Lock.bit(), VALUE | SEEN),
            Self::Put => (KEY | VALUE, OpColumn::If.bit(), ROWS),
            Self::Delete => (KEY, 0, ROWS),
            Self::Scan => (0, RANGE | OpColumn::Lock.bit(), ITEMS),
            Self::Iter => (0, RANGE, ITEMS | OpColumn::End.bit()),
            Self::Append => (KEY | VALUE, 0, 0),
            Self::List => (KEY, 0, OpColumn::Elements.bit()),
            Self::Rmw => (KEY | VALUE, 0, OpColumn::Old.bit() | SEEN),
            Self::Savepoint | Self::Rollback => (OpColumn::Name.bit(), 0, 0),
        };
        Shape { needs, takes, gives }
    }
}

/// The place of a meaning among words.
pub(super) fn place<T: PartialEq>(words: &[(&str, T)], meaning: T) -> u64 {
    words.iter().position(|(_, known)| *known == meaning).unwrap_or_default() as u64
}
