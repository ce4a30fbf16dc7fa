//! How a statement ends.

/// An error that a server reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServerError {
    pub(crate) code: String,
    pub(crate) message: String,
    /// Whether the server ends the connection.
    pub(crate) fatal: bool,
}

impl ServerError {
    /// What to tell about it.
    pub(crate) fn text(&self) -> String {
        format!("{}: {}", self.code, self.message)
    }

    /// Whether a commit that ended with it may have taken effect.
    pub(crate) fn leaves_doubt(&self) -> bool {
        // PostgreSQL: connection exceptions, shutdowns, "statement completion unknown".
        let postgres = ["08", "57P", "40003"];
        match self.code.len() {
            5 => self.fatal || postgres.iter().any(|class| self.code.starts_with(class)),
            // MySQL says so only of deadlocks and conflicts with other transactions.
            _ => !self.ends_transaction(),
        }
    }

    /// Whether MySQL reports this of a definition only once it executes it: of tables, columns, indexes and the
    /// like that exist, or do not.
    pub(crate) fn is_of_execution(&self) -> bool {
        let codes = [
            "1005", "1007", "1008", "1050", "1051", "1060", "1061", "1062", "1068", "1072", "1091",
            "1146", "1217", "1305", "1360", "1396", "1451", "1452", "1965", "4091", "4092",
        ];
        codes.contains(&self.code.as_str())
    }

    /// Whether MySQL has rolled back the whole transaction.
    pub(crate) fn ends_transaction(&self) -> bool {
        matches!(self.code.as_str(), "1213" | "1020" | "1614")
    }
}

/// How a statement ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It was carried out.
    Done {
        /// What the server calls it.
        tag: Option<String>,
        /// How many rows it changed or found.
        affected: Option<u64>,
    },
    /// There may be more rows, which the client has not requested yet.
    Suspended,
    /// It failed.
    Failed(ServerError),
    /// It was not carried out, because one before it failed.
    Skipped,
    /// The connection was lost before the answer came.
    Lost,
}
