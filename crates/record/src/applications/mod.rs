//! Small applications in plain SQL, run by many clients and written down in a SQL log.
//!
//! ```text
//!   Application ──► plan ──► Client ──► Statements ──► database
//!   (bank, …)     (one txn)  (a thread)     │ before and after every statement
//!                                           ▼
//!                                        SqlLog ──► log
//! ```
//!
//! Where a workload of keys and values ([`crate::run`]) leads to a trace, an application leads to a
//! log of statements and answers (`docs/sql-log.md`), with the tables and rows of its start:
//! everything that `tristan audit` needs. One file or folder per application.
//!
//! Every client draws its transactions from a random generator of its own, so that a seed gives each
//! client the same transactions in the same order at every level.

mod bank;
mod client;
mod dice;
mod left;
mod log;
mod money;
mod rubis;
mod run;
mod setup;
mod start;
mod tpcc;
mod twitter;
mod txn;

use tristan_generate::Skew;

pub use dice::Dice;
pub use log::{LogHeader, SqlLog};
pub use setup::ApplicationRun;
pub use start::{Start, Table};
pub use txn::{Txn, TxnError};

/// What a client is about to do: one transaction, which can be tried several times.
pub type Plan = Box<dyn Fn(&mut Txn<'_>) -> Result<(), TxnError> + Send>;

/// An application: tables with rows to begin with, and transactions.
pub trait Application: Send + Sync {
    /// The tables that are there from the start, with their rows.
    fn start(&self) -> Start;

    /// The next transaction of a client.
    fn plan(&self, dice: &mut Dice) -> Plan;
}

/// How large an application is, and what its clients do how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// How many transactions are to commit.
    pub txns: u64,
    /// How many clients there are.
    pub clients: usize,
    /// How many accounts, users or warehouses there are.
    pub scale: u64,
    /// How many accounts a transaction of the bank deals with.
    pub ops: u64,
    /// Percent of the accounts that clients deal with at all.
    pub accessed: u64,
    /// Percent of the bank's transactions that only read.
    pub read_only: u64,
    /// Percent of the bank's other transactions that do not look at what they have written.
    pub blind: u64,
    /// Which accounts and users are chosen how often.
    pub skew: Skew,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// An application by its name.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The name of the workload, for `--workload`.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// What there are [`Sizes::scale`] of.
    pub counts: &'static str,
    usual: fn() -> Sizes,
    open: fn(&Sizes) -> Box<dyn Application>,
}

/// All SQL workloads.
pub const KINDS: &[Kind] = &[bank::KIND, twitter::KIND, rubis::KIND, tpcc::KIND];

impl Kind {
    /// The application of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.name == name)
    }

    /// The sizes that are used if the user gives none.
    pub fn usual(&self) -> Sizes {
        (self.usual)()
    }

    /// The application at these sizes.
    pub fn open(&self, sizes: &Sizes) -> Box<dyn Application> {
        (self.open)(sizes)
    }
}

/// The sizes that most applications have.
const USUAL: Sizes = Sizes {
    txns: 10_000,
    clients: 8,
    scale: 1_000,
    ops: 1,
    accessed: 100,
    read_only: 20,
    blind: 0,
    skew: Skew::Uniform,
    seed: 1,
};
