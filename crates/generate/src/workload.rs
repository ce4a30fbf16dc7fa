//! A workload and how it is run.

use tristan_store::Level;

use super::Skew;
use super::skew::Draw;
use super::template::{Part, Template};

/// A workload and how it is run.
///
/// ```
/// use tristan_generate::Workload;
/// let history = Workload { txns: 100, keys: 50, ..Workload::random_bench() }.run();
/// assert_eq!(history.txns.len(), 100);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    /// What a transaction does.
    pub pattern: Pattern,
    /// Number of transactions that commit.
    pub txns: usize,
    /// Number of sessions.
    pub sessions: usize,
    /// How many of them have a transaction open at a time, at most.
    pub at_once: usize,
    /// Which of the others gets its turn when a transaction has ended.
    pub turns: Turns,
    /// Operations per transaction; what exactly that means depends on the pattern.
    pub ops: usize,
    /// Number of keys: most patterns choose from 1 up to this.
    pub keys: u64,
    /// Which keys are chosen how often.
    pub skew: Skew,
    /// What is written.
    pub values: Values,
    /// What the store promises.
    pub level: StoreLevel,
    /// What becomes of transactions that the store refuses to commit. All of them are tried again.
    pub aborted: Aborted,
    /// The share of the commits whose answer never arrives, in percent: these transactions are recorded
    /// with an unknown outcome.
    pub lost_percent: u64,
    /// Whether begins and ends have times.
    pub times: bool,
    /// Seed of the random numbers.
    pub seed: u64,
}

/// What the store promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StoreLevel {
    /// Strictly serializable, in commit order.
    Serializable,
    /// Strong snapshot isolation.
    Snapshot,
}

impl StoreLevel {
    /// The level that transactions run at. Committed transactions are listed in commit order, so
    /// for a serializable history that order has to be a serial order.
    pub(super) fn of_transactions(self) -> Level {
        match self {
            Self::Serializable => Level::CommitOrder,
            Self::Snapshot => Level::Snapshot,
        }
    }
}

/// What a transaction does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Operations side by side, each chosen on its own. A read and the write that follows it count
    /// as one.
    Mixed(Mix),
    /// Only reads or only writes.
    Blind {
        /// The share of those that read, in percent.
        read_only_percent: u64,
    },
    /// Reads of a few keys, then writes of the same keys: from half of the given number of
    /// operations up to that many.
    Updates,
    /// Appends and reads of whole lists, half of each: from one up to the given number. As many
    /// keys as given are in use at a time.
    Lists {
        /// A key that had so many is retired.
        appends_per_key: u32,
    },
    /// TPC-C. The number of operations is that of the lines of an order, on average; the number of
    /// keys is that of articles in stock.
    Tpcc,
    /// RUBiS. The number of keys is that of users.
    Rubis,
    /// Twitter. The number of keys is that of users.
    Twitter,
    /// Transfers between accounts, and looks at all of them.
    Bank,
    /// One or two keys, each read and then written.
    Pairs,
    /// Writes of one key of a group, and reads of a whole group; the number of operations is the
    /// size of a group.
    LongFork,
    /// Reads of a whole group, then a write of one of its keys.
    WriteSkew,
    /// User-defined transactions.
    Templates(Vec<Template>),
}

/// The shares of the operations, in percent; together 100.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mix {
    /// Point reads.
    pub read: u64,
    /// Writes of one key, which do not read it.
    pub write: u64,
    /// Deletes of one key.
    pub delete: u64,
    /// Reads of a whole range.
    pub scan: u64,
    /// Reads of the first few items of a range.
    pub iterate: u64,
    /// A read of a key and then a write of the same key.
    pub read_then_write: u64,
    /// Whether a scan of everything comes before every scan.
    pub everything_first: bool,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// No value twice.
    Unique,
    /// Numbers below this one, at random.
    Below(u64),
    /// Numbers below a bound, the small ones more often.
    Skewed {
        /// The bound.
        below: u64,
        /// How much more often.
        skew: Skew,
    },
}

impl Values {
    /// Draws values; `None` if each is new.
    pub fn draw(self) -> Option<Draw> {
        match self {
            Self::Unique => None,
            Self::Below(below) => Some(Draw::new(below, Skew::Uniform)),
            Self::Skewed { below, skew } => Some(Draw::new(below, skew)),
        }
    }
}

/// Whose turn it is when there are more sessions than transactions at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// Any session's: all of them stay open for the whole run.
    Random,
    /// The same session's until it has had its share, then that of a new one.
    OneAfterTheOther,
}

/// What becomes of transactions that the store refused to commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aborted {
    /// They are part of the history, as aborted ones.
    Recorded,
    /// They leave no trace.
    Forgotten,
}

impl Workload {
    /// Whether it does nothing but point reads and writes.
    pub fn is_plain(&self) -> bool {
        match &self.pattern {
            Pattern::Mixed(mix) => mix.delete + mix.scan + mix.iterate == 0,
            Pattern::Lists { .. } => false,
            Pattern::Blind { .. }
            | Pattern::Updates
            | Pattern::Tpcc
            | Pattern::Rubis
            | Pattern::Twitter
            | Pattern::Bank
            | Pattern::Pairs
            | Pattern::LongFork
            | Pattern::WriteSkew => true,
            Pattern::Templates(templates) => {
                templates.iter().flat_map(|template| &template.parts).all(Part::is_plain)
            }
        }
    }
}
