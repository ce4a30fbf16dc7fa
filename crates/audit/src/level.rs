//! Isolation levels, as what statements may see.
//!
//! | level | plain reads | writes and locking reads | between a row's reading and its writing |
//! |---|---|---|---|
//! | `ser`, `sser` | the newest state | the newest state | nothing |
//! | `ssi` | one state, of the start | the same | no other transaction writes the row |
//! | `si` | one state, any earlier one | the same | no other transaction writes the row |
//! | `strong-rc` | one state per statement, no older than its call | the same, rechecked | no other transaction writes the row |
//! | `rc` | per statement, at worst per row | per statement, looked at again | no other transaction writes the row |
//! | `mariadb-rr` | one state | the newest state: what they look at stays locked | nothing |
//!
//! A transaction takes effect between its begin and the answer to its commit (`ser`, `sser`), or
//! between the call of its commit and the answer (the others).

use std::fmt;
use std::str::FromStr;

use tristan_spec::Catalog;

/// An isolation level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditLevel {
    /// Serializability: some order of the transactions explains all answers.
    Serializable,
    /// Strictly serializable.
    StrictSerializable,
    /// Snapshot isolation: the snapshot may be old.
    Snapshot,
    /// Strong snapshot isolation: the snapshot is taken at the start.
    StrongSnapshot,
    /// Read committed: each statement sees what was committed, at this moment or an earlier one.
    ReadCommitted,
    /// What PostgreSQL, MariaDB and MySQL call read committed: each statement sees all that was committed
    /// when it began.
    StrongReadCommitted,
    /// What MariaDB and MySQL call repeatable read.
    MariaDbRepeatableRead,
}

/// Where a statement reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// In the state in which the transaction takes effect.
    Newest,
    /// In one state for the whole transaction.
    Snapshot,
    /// In a state of its own.
    Statement,
}

/// What a statement does with rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It only reads.
    Read,
    /// It reads, and locks what it reads.
    LockingRead,
    Write,
}

impl AuditLevel {
    /// All of them, the strongest first.
    pub const ALL: [Self; 7] = [
        Self::StrictSerializable,
        Self::Serializable,
        Self::StrongSnapshot,
        Self::Snapshot,
        Self::MariaDbRepeatableRead,
        Self::StrongReadCommitted,
        Self::ReadCommitted,
    ];

    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Serializable => "ser",
            Self::StrictSerializable => "sser",
            Self::Snapshot => "si",
            Self::StrongSnapshot => "ssi",
            Self::ReadCommitted => "rc",
            Self::StrongReadCommitted => "strong-rc",
            Self::MariaDbRepeatableRead => "mariadb-rr",
        }
    }

    /// The full name of the level, as reports show it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Serializable => "serializable",
            Self::StrictSerializable => "strictly serializable",
            Self::Snapshot => "snapshot isolation",
            Self::StrongSnapshot => "strong snapshot isolation",
            Self::ReadCommitted => "read committed",
            Self::StrongReadCommitted => "strong read committed",
            Self::MariaDbRepeatableRead => "repeatable read of MariaDB and MySQL",
        }
    }

    pub(crate) fn is_serial(self) -> bool {
        matches!(self, Self::Serializable | Self::StrictSerializable)
    }

    /// Where a statement of this kind reads.
    pub(crate) fn frame(self, kind: Kind) -> Frame {
        match self {
            Self::Serializable | Self::StrictSerializable => Frame::Newest,
            Self::Snapshot | Self::StrongSnapshot => Frame::Snapshot,
            Self::ReadCommitted | Self::StrongReadCommitted => Frame::Statement,
            Self::MariaDbRepeatableRead if kind == Kind::Read => Frame::Snapshot,
            Self::MariaDbRepeatableRead => Frame::Statement,
        }
    }

    /// Whether states before the begin of a transaction may be read.
    pub(crate) fn reads_old_states(self) -> bool {
        matches!(self, Self::Snapshot | Self::ReadCommitted)
    }

    /// Whether statements see nothing that was committed after they were answered.
    pub(crate) fn reads_by_time(self) -> bool {
        !self.is_serial() && self != Self::Snapshot
    }

    /// Whether plain reads see the state in which the snapshot was taken.
    pub(crate) fn snapshot_at_start(self) -> bool {
        matches!(self, Self::StrongSnapshot | Self::MariaDbRepeatableRead)
    }
}

impl fmt::Display for AuditLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for AuditLevel {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let name = name.to_lowercase().replace([' ', '_'], "-");
        Ok(match name.as_str() {
            "ser" | "serializable" | "pg-ser" => Self::Serializable,
            "sser" | "strict-serializable" | "strict-serializability" => Self::StrictSerializable,
            "si" | "snapshot-isolation" => Self::Snapshot,
            "ssi"
            | "strong-generalized-snapshot-isolation"
            | "strong-snapshot-isolation"
            | "repeatable-read"
            | "pg-rr" => Self::StrongSnapshot,
            "rc" | "read-committed" => Self::ReadCommitted,
            "strong-rc" | "strong-read-committed" | "pg-rc" | "mysql-rc" | "mariadb-rc" => {
                Self::StrongReadCommitted
            }
            "mariadb-rr" | "mysql-rr" => Self::MariaDbRepeatableRead,
            other => {
                // A name that sources use for several levels is refused as in the rest of the tool.
                if let Err(unknown) = Catalog::default().find(other)
                    && unknown.meanings.len() > 1
                {
                    return Err(unknown.to_string());
                }
                let names: Vec<&str> = Self::ALL.iter().map(|level| level.name()).collect();
                return Err(format!("unknown level {name}; expected one of {}", names.join(", ")));
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_titles_without_a_doubt_are_read() {
        for level in AuditLevel::ALL {
            assert_eq!(level.name().parse(), Ok(level));
        }
        assert_eq!("Snapshot Isolation".parse(), Ok(AuditLevel::Snapshot));
        assert_eq!("strong_snapshot_isolation".parse(), Ok(AuditLevel::StrongSnapshot));
        let unknown = "serial".parse::<AuditLevel>().expect_err("no level");
        assert!(
            unknown.starts_with("unknown level serial; expected one of sser, ser, "),
            "{unknown}"
        );
    }

    #[test]
    fn a_name_of_several_levels_is_refused_with_the_choices() {
        for name in ["strong-si", "Strong SI"] {
            let refused = name.parse::<AuditLevel>().expect_err("it means two levels");
            let elsewhere = Catalog::default().find("strong-si").expect_err("it means two levels");
            assert_eq!(refused, elsewhere.to_string());
        }
        let said_clearly = "strong-generalized-snapshot-isolation".parse();
        assert_eq!(said_clearly, Ok(AuditLevel::StrongSnapshot));
    }
}
