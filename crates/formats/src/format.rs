//! The formats that are read, and the forms that are written, by name.

/// A trace format this crate reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Calls and returns, or whole operations, one per line after a header.
    Native,
    /// Whole transactions, one per line.
    Simple,
    /// Whole transactions, one per row of an Apache Arrow file.
    Arrow,
    /// Histories of Jepsen and Elle, in EDN or JSON.
    Elle,
    /// Cobra's client logs: binary, one file per session.
    Cobra,
    /// Viper's client logs: JSON, one file per session.
    Viper,
    /// What dbcop, PolySI and VeriStrong read: binary, JSON, YAML or text.
    Dbcop,
    /// One operation per line, as Plume, PolySI and IsoVista read it and TAPIR was traced.
    Plume,
    /// Sessions and transactions with lines between them, as AWDIT reads them.
    Awdit,
    /// A JSON array of transactions with timestamps, as TimeKiller reads it.
    TimeKiller,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 10] = [
        Self::Native,
        Self::Simple,
        Self::Arrow,
        Self::Elle,
        Self::Cobra,
        Self::Viper,
        Self::Dbcop,
        Self::Plume,
        Self::Awdit,
        Self::TimeKiller,
    ];

    /// The name people type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Simple => "simple",
            Self::Arrow => "arrow",
            Self::Elle => "elle",
            Self::Cobra => "cobra",
            Self::Viper => "viper",
            Self::Dbcop => "dbcop",
            Self::Plume => "plume",
            Self::Awdit => "awdit",
            Self::TimeKiller => "timekiller",
        }
    }

    /// Whether a trace is a folder with one file per session.
    pub fn is_folder(self) -> bool {
        matches!(self, Self::Cobra | Self::Viper)
    }

    /// The format with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// The ways to print a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WriteForm {
    /// Native, one line per call and one per return.
    Events,
    /// Native, one line per operation.
    Compact,
    /// One line per transaction.
    Simple,
    /// An Apache Arrow file, one row per transaction.
    Arrow,
    /// JSON for Elle, one entry per line.
    Elle,
    /// Cobra's client logs, a folder.
    Cobra,
    /// dbcop's binary form.
    Dbcop,
    /// One operation per line, as Plume reads it.
    Plume,
}

impl WriteForm {
    /// Every form.
    pub const ALL: [Self; 8] = [
        Self::Events,
        Self::Compact,
        Self::Simple,
        Self::Arrow,
        Self::Elle,
        Self::Cobra,
        Self::Dbcop,
        Self::Plume,
    ];

    /// The name people type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Events => "events",
            Self::Compact => "compact",
            Self::Simple => "simple",
            Self::Arrow => "arrow",
            Self::Elle => "elle",
            Self::Cobra => "cobra",
            Self::Dbcop => "dbcop",
            Self::Plume => "plume",
        }
    }

    /// The form with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }

    /// Whether this form is a folder with one file per session.
    pub fn is_folder(self) -> bool {
        matches!(self, Self::Cobra)
    }
}
