//! Verdicts about SQL logs.
//!
//! Transactions have the numbers of the log. A state is named by the number of commits before it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Assumption;

/// The version of the format.
pub const AUDIT_SCHEMA_VERSION: &str = "tristan/audit/1";

/// The answer to "does some correct execution explain this log?".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditVerdict {
    /// Always [`AUDIT_SCHEMA_VERSION`].
    pub schema: String,
    /// The short name of the level: `ser`, `ssi`, …
    pub level: String,
    /// Its name in full.
    pub title: String,
    /// What the log was.
    pub log: LogSummary,
    /// Accept, reject or unknown, with the evidence.
    #[serde(flatten)]
    pub answer: AuditAnswer,
    /// What was taken for granted.
    pub assumptions: Vec<Assumption>,
    /// What was strange about the log.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// What a log was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogSummary {
    /// Where it came from.
    pub name: String,
    /// Transactions, whatever their outcome.
    pub transactions: u64,
    /// Of these, committed ones.
    pub committed: u64,
    /// Of these, ones with unknown outcome.
    pub unknown: u64,
    /// Statements that were judged.
    pub statements: u64,
    /// How many statements were carried out to judge them.
    pub runs: u64,
    /// How many possible pasts there were at once, at most.
    pub worlds: u64,
    /// Statements that were not judged, by reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unjudged: Vec<Unjudged>,
    /// Transactions that were not rolled back, with a statement that was not judged.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub partly: u64,
    /// Questions about the schema or the session whose answers were not compared. They are not among the statements
    /// that were not judged: no isolation level promises anything about such an answer.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub questions: u64,
    /// In how many pieces it was judged, if it was followed while it was written. An accept then has no witness:
    /// each piece was replayed and forgotten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pieces: Option<u64>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Statements that were not judged for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unjudged {
    /// What is not supported, or not known.
    pub reason: String,
    /// How many statements that were.
    pub statements: u64,
}

impl fmt::Display for Unjudged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.statements == 1 { "statement" } else { "statements" };
        write!(f, "{} {word}: {}", self.statements, self.reason)
    }
}

/// Accept, reject or unknown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum AuditAnswer {
    /// Some correct execution explains the log.
    Accept {
        /// One such execution.
        witness: AuditWitness,
    },
    /// None does.
    Reject {
        /// Where it shows, and why.
        rejection: Box<Rejection>,
    },
    /// Not decided.
    Unknown {
        /// Why not.
        reason: String,
        /// The transaction it is about, if it is about one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        transaction: Option<u64>,
        /// How many transactions are explained all the same.
        explained: u64,
    },
}

/// A correct execution that explains the log: the evidence of an accept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditWitness {
    /// Transactions that changed something, in the order in which they took effect.
    pub order: Vec<u64>,
    /// Where transactions read, if it is not the state in which they took effect.
    pub reads: Vec<ReadPlace>,
}

/// Where a transaction read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadPlace {
    /// The number of the transaction in the log.
    pub txn: u64,
    /// The state of each of its statements, or of all of them if there is one.
    pub states: Vec<u64>,
    /// What was decided on the way, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<String>,
}

/// Where a log is wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rejection {
    /// What is wrong, in one sentence.
    pub sentence: String,
    /// The transaction that nothing explains.
    pub transaction: u64,
    /// Where it begins in the log.
    pub line: u64,
    /// How many transactions are explained before it.
    pub prefix: u64,
    /// The statement, from 1 within its transaction; `None` if each is explained on its own.
    pub statement: Option<u64>,
    /// The text of the rejected statement.
    pub sql: String,
    /// The parameters of the rejected statement.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<String>,
    /// The rows whose part of the answer is wrong on its own, in words, such as `item with id = 3`. What follows is then
    /// this part of what was observed and of what would have been right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// What was observed.
    pub observed: Told,
    /// What would have been right.
    pub expected: Vec<Possibility>,
    /// The transactions that wrote the rows that the statement read.
    pub writers: Vec<WriterCard>,
    /// Why the answer is wrong in every state, if it is, as a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impossible: Option<String>,
    /// What people call this mistake, and why it is one, if it has a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anomaly: Option<String>,
    /// Every order of the transactions in the shortest log, up to the first answer that does not fit; empty if
    /// the level does not ask for an order, or there are too many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub orders: Vec<DeadEnd>,
    /// The shortest log found that is still wrong, line by line.
    pub shrunk: Vec<String>,
    /// How to see it on a database.
    pub script: String,
}

/// An order of transactions, up to the first answer that does not fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadEnd {
    /// The transactions that come first, in this order.
    pub order: Vec<u64>,
    /// The one that does not fit next.
    pub transaction: u64,
    /// Its statement with another answer, from 1.
    pub statement: u64,
    /// The text of that statement.
    pub sql: String,
    /// What was observed.
    pub observed: Told,
    /// What the answer would have been.
    pub told: Told,
}

/// An answer of the database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Told {
    /// The rows returned, each value as text.
    Rows(Vec<Vec<String>>),
    /// A number of rows.
    Affected(u64),
    /// An error with this code.
    Error(String),
    /// Nothing in particular.
    Done,
}

/// What would have been right, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Possibility {
    /// In which case, in words.
    pub when: String,
    /// What the answer would be.
    pub told: Told,
}

/// A transaction that wrote something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WriterCard {
    /// The number of the transaction; `None` for a row that was there from the start.
    pub txn: Option<u64>,
    /// Where it begins in the log.
    pub line: u64,
    /// The row it wrote, as the statement found it.
    pub row: String,
}

impl AuditVerdict {
    /// The verdict as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a verdict has only text keys")
    }
}
