//! Workloads that have a name, with the sizes they usually have.
//!
//! ```text
//!   blindw-rw, -rm, -wh   50, 90, 10 % of the transactions only read, the others only write (Cobra)
//!   duplicates            reads and writes side by side, values repeat (VeriStrong's "WH")
//!   deletes               reads, writes and as many deletes side by side
//!   rmw                   reads of 2 to 4 keys, then writes of the same keys
//!   list-append           appends and reads of whole lists, with times (Elle)
//!   tpcc, rubis, twitter  small applications (Cobra, Viper)
//!   bank                  transfers between accounts, and looks at all of them
//!   pairs                 one or two keys, each read and then written ("mini-transactions")
//!   long-fork, write-skew small groups of keys, where these anomalies show first
//!   random-…              range reads (Boomslang, appendix A.5)
//! ```
//!
//! The last ones in percent; in random-rmw-range a scan of everything comes before every scan:
//!
//! ```text
//!                     read  write  delete  scan  iterate  read, then write
//!   random-bench       25     25      5     10      10          25          values repeat
//!   random-range       25     25      5     20       0          25          values repeat
//!   random-rmw-range    0      0      0     10       0          90          values are unique
//! ```

use super::{Aborted, Mix, Pattern, Skew, StoreLevel, Template, Turns, Values, Workload};

/// The value domain of `duplicates`. A key of 100 000 transactions on 50 000 keys is written 28
/// times, so that about every fifth write repeats what the key held before.
const DUPLICATES: Values = Values::Skewed { below: 100, skew: Skew::Zipf { hundredths: 50 } };

/// A name and what makes the workload it stands for.
type Named = (&'static str, fn() -> Workload);

const NAMED: [Named; 17] = [
    ("blindw-rw", || Workload::blind(50)),
    ("blindw-rm", || Workload::blind(90)),
    ("blindw-wh", || Workload::blind(10)),
    ("duplicates", Workload::duplicates),
    ("deletes", Workload::deletes),
    ("rmw", Workload::updates),
    ("list-append", Workload::list_append),
    ("tpcc", || Workload { ops: 10, keys: 10_000, ..Workload::base(Pattern::Tpcc) }),
    ("rubis", || Workload::base(Pattern::Rubis)),
    ("twitter", Workload::twitter),
    ("bank", || Workload { keys: 20, ..Workload::base(Pattern::Bank) }),
    ("pairs", || Workload { keys: 100, ..Workload::base(Pattern::Pairs) }),
    ("long-fork", || Workload { ops: 2, keys: 20, ..Workload::base(Pattern::LongFork) }),
    ("write-skew", || Workload { ops: 2, keys: 20, ..Workload::base(Pattern::WriteSkew) }),
    ("random-bench", Workload::random_bench),
    ("random-range", Workload::random_range),
    ("random-rmw-range", Workload::random_rmw_range),
];

impl Workload {
    /// The names of all workloads, as `record` and `bench` take them.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(|(name, _)| *name)
    }

    /// The workload of this name, on a serializable store.
    ///
    /// ```
    /// use tristan_generate::Workload;
    /// let workload = Workload::named("blindw-rw").expect("a known name");
    /// assert_eq!(Workload { txns: 100, ..workload }.run().ops.len(), 800);
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        NAMED.iter().find(|(known, _)| *known == name).map(|(_, make)| make())
    }

    /// Transactions that only read, and others that only write: BlindW.
    pub fn blind(read_only_percent: u64) -> Self {
        Self::base(Pattern::Blind { read_only_percent })
    }

    /// Reads and writes with values that repeat, so that reads cannot tell their writer.
    pub fn duplicates() -> Self {
        let mix = Mix { read: 30, write: 70, ..Mix::default() };
        Self { ops: 20, keys: 50_000, values: DUPLICATES, ..Self::base(Pattern::Mixed(mix)) }
    }

    /// Reads and writes, of which every second one deletes: a read that finds nothing cannot tell which
    /// delete it saw.
    pub fn deletes() -> Self {
        let mix = Mix { read: 50, write: 25, delete: 25, ..Mix::default() };
        Self::base(Pattern::Mixed(mix))
    }

    /// Transactions that read a few keys and then write them all.
    pub fn updates() -> Self {
        Self { ops: 4, ..Self::base(Pattern::Updates) }
    }

    /// Appends and reads of lists that stay short.
    pub fn list_append() -> Self {
        let pattern = Pattern::Lists { appends_per_key: 32 };
        Self { ops: 4, keys: 100, times: true, ..Self::base(pattern) }
    }

    /// A small social network, whose users are not all alike.
    pub fn twitter() -> Self {
        Self { skew: Skew::Zipf { hundredths: 50 }, ..Self::base(Pattern::Twitter) }
    }

    /// Everything at once, with values that repeat.
    pub fn random_bench() -> Self {
        let mix = Mix {
            read: 25,
            write: 25,
            delete: 5,
            scan: 10,
            iterate: 10,
            read_then_write: 25,
            everything_first: false,
        };
        Self { keys: 10_000, values: Values::Below(50), ..Self::base(Pattern::Mixed(mix)) }
    }

    /// The same without iterators, with twice as many scans.
    pub fn random_range() -> Self {
        let mix = Mix { read: 25, write: 25, delete: 5, scan: 20, ..Mix::default() };
        let pattern = Pattern::Mixed(Mix { read_then_write: 25, ..mix });
        Self { pattern, ..Self::random_bench() }
    }

    /// Reads that are followed by writes, unique values, and scans of everything.
    pub fn random_rmw_range() -> Self {
        let mix = Mix { scan: 10, read_then_write: 90, everything_first: true, ..Mix::default() };
        Self { pattern: Pattern::Mixed(mix), values: Values::Unique, ..Self::random_bench() }
    }

    /// User-defined transactions.
    pub fn templates(templates: Vec<Template>) -> Self {
        Self::base(Pattern::Templates(templates))
    }

    /// A pattern with the sizes that most workloads have.
    fn base(pattern: Pattern) -> Self {
        Self {
            pattern,
            txns: 10_000,
            sessions: 24,
            at_once: 24,
            turns: Turns::OneAfterTheOther,
            ops: 8,
            keys: 2_000,
            skew: Skew::Uniform,
            values: Values::Unique,
            level: StoreLevel::Serializable,
            aborted: Aborted::Forgotten,
            lost_percent: 0,
            times: false,
            seed: 1,
        }
    }
}
