//! Why a verdict was not certified, told so that a person can look at the place.

use tristan_history::Datum;

/// What is wrong with the evidence. Transactions, operations, conflicts, edges and literals
/// are counted from 0, as in the verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CertifyError {
    /// The verdict is about another level.
    #[error("the verdict is about level '{found}', not about '{expected}'")]
    Level {
        /// The level in the verdict.
        found: String,
        /// The level asked for.
        expected: String,
    },
    /// The level's formula still has `b` or `o` in it.
    #[error("the formula of level '{level}' has no strength: it still mentions `b` or `o`")]
    NoStrength {
        /// The name of the level.
        level: String,
    },
    /// The level asks what each transaction was promised, and the trace does not say.
    #[error("the trace does not state the level of transaction {txn}")]
    NoPromise {
        /// The transaction that states no level.
        txn: u32,
    },
    /// A transaction number that the trace does not have.
    #[error("transaction {txn} is not in the trace")]
    NoSuchTxn {
        /// The transaction number that the verdict names.
        txn: u32,
    },
    /// An operation number that the transaction does not have.
    #[error("transaction {txn} has no operation {op}")]
    NoSuchOp {
        /// The transaction that the verdict names.
        txn: u32,
        /// The number of an operation that it does not have.
        op: u32,
    },
    /// A key that the trace does not have.
    #[error("key {key} is not in the trace")]
    NoSuchKey {
        /// The key that the verdict names.
        key: Datum,
    },
    /// The trace uses something that no accept can vouch for.
    #[error("operation {op} of transaction {txn}: {what}")]
    NotInterpreted {
        /// The reading transaction.
        txn: u32,
        /// The number of the read that is not interpreted.
        op: u32,
        /// What is not interpreted.
        what: &'static str,
    },
    /// The order of the witness, or its list of committed transactions, is not one.
    #[error("witness: transaction {txn} {problem}")]
    Order {
        /// The transaction that the problem is about.
        txn: u32,
        /// What is wrong.
        problem: &'static str,
    },
    /// A read of the accepted execution is not explained.
    #[error("operation {op} of transaction {txn}{}: {problem}", of_key(.key))]
    Read {
        /// The reading transaction.
        txn: u32,
        /// The number of the read in its transaction.
        op: u32,
        /// The key, where the operation alone does not tell.
        key: Option<Datum>,
        /// What is wrong.
        problem: &'static str,
    },
    /// The accepted execution breaks the level's definition.
    #[error("the witness violates {constraint} at transaction {txn}")]
    Violated {
        /// The constraint of the level that does not hold.
        constraint: String,
        /// A transaction on the forbidden cycle.
        txn: u32,
    },
    /// The bad read is not bad, or not in this way.
    #[error("bad read, operation {op} of transaction {txn}: {problem}")]
    Bad {
        /// The reading transaction.
        txn: u32,
        /// The number of the read in its transaction.
        op: u32,
        /// What is wrong.
        problem: &'static str,
    },
    /// A choice does not list what the trace allows.
    #[error("choice for operation {op} of transaction {txn}: {problem}")]
    Choice {
        /// The reading transaction.
        txn: u32,
        /// The number of the read in its transaction.
        op: u32,
        /// What is wrong.
        problem: &'static str,
    },
    /// A conflict is not one.
    #[error("conflict {conflict}: {problem}")]
    Conflict {
        /// The number of the conflict.
        conflict: usize,
        /// What is wrong.
        problem: String,
    },
    /// An edge of a conflict is not justified.
    #[error("conflict {conflict}, edge {edge}: {problem}")]
    Edge {
        /// The number of the conflict.
        conflict: usize,
        /// The edge within it.
        edge: usize,
        /// What is wrong.
        problem: &'static str,
    },
    /// A literal of a conflict makes no sense for this trace.
    #[error("conflict {conflict}, literal {literal}: {problem}")]
    Literal {
        /// The number of the conflict.
        conflict: usize,
        /// The literal within it.
        literal: usize,
        /// What is wrong.
        problem: &'static str,
    },
    /// The core is not the set of transactions that the refutation mentions.
    #[error("the core {problem}")]
    Core {
        /// What is wrong.
        problem: String,
    },
    /// The refutation has no conflict and no bad read, or mixes the two.
    #[error("the refutation {0}")]
    Shape(&'static str),
    /// A fact about the whole trace is not true.
    #[error("fact {fact}: {problem}")]
    Fact {
        /// The fact, counted from 0.
        fact: usize,
        /// What is wrong.
        problem: String,
    },
    /// A field beside the evidence contradicts the trace or the level.
    #[error("{field}: {problem}")]
    Field {
        /// The field, as a path in the JSON of the verdict.
        field: String,
        /// What is wrong.
        problem: String,
    },
    /// A fate is not about an operation that may or may not have taken effect.
    #[error("fate of operation {op} of transaction {txn}: {problem}")]
    Fate {
        /// The transaction of the indeterminate operation.
        txn: u32,
        /// The number of the operation in its transaction.
        op: u32,
        /// What is wrong.
        problem: &'static str,
    },
    /// One of the cases does not hold.
    #[error("case {case}: {problem}")]
    Case {
        /// The number of the case.
        case: usize,
        /// What is wrong with it.
        problem: Box<CertifyError>,
    },
    /// Operations may have taken effect, or not, in a way that no case covers.
    #[error("the cases do not cover every choice of operations that may have taken effect")]
    Uncovered,
    /// The refutation depends on more unlisted operations than can be tried.
    #[error(
        "the proof depends on operations it does not list: it was tried for {most} choices of them"
    )]
    TooManyFates {
        /// How many choices were tried.
        most: usize,
    },
    /// Every conflict is real, but together they leave a possibility open.
    #[error("the conflicts do not rule out every execution")]
    Satisfiable,
    /// The conflicts may be enough, but seeing that would take too long.
    #[error("too hard: gave up after {steps} propagation steps")]
    TooHard {
        /// The number of steps after which the certifier gave up.
        steps: u64,
    },
    /// The dependencies of the witness need more nodes than can be numbered.
    #[error("the witness is too large to evaluate")]
    TooLarge,
}

fn of_key(key: &Option<Datum>) -> String {
    key.as_ref().map(|key| format!(", key {key}")).unwrap_or_default()
}
