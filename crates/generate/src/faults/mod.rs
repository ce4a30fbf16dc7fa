//! Histories with exactly one lie.
//!
//! [`inject`] lets a few more transactions run after the end of a correct history, on a store that
//! holds its final state, and then changes what one operation of theirs returned:
//!
//! ```text
//!   history ──replay──► final state ──scripts──► a few more transactions ──lie──► one wrong result
//!                        (scene)                                          (lie)
//! ```
//!
//! The keys in question are new and so are nearly all values, so nothing else in the history can
//! explain the lie: no strong session variant of snapshot isolation or serializability allows it.

mod lie;
mod scene;
mod scripts;

use scene::Scene;
use tristan_history::{History, OpRef};

/// A way in which databases have been wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The second of two equal scans finds a key that another transaction inserted in between.
    Phantom,
    /// A key was deleted, was seen to be gone, and is back.
    ResurrectedDelete,
    /// A client deletes a key and still reads it in its next transaction.
    LostDelete,
    /// An iterator leaves out an item in the middle.
    SkippedItem,
    /// A scan shows the state of long ago, before other transactions of the same client.
    StaleScan,
    /// A scan shows one of two keys that were written together new and the other one old.
    FracturedScan,
    /// A client writes a value that was there before, and reads what it has just overwritten.
    StaleOwnRead,
    /// A scan misses what its own transaction has written.
    MissedOwnUpdate,
    /// A read shows a key before a transaction, a scan another key after it.
    ScanReadSkew,
}

impl Fault {
    /// Every fault.
    pub const ALL: [Self; 9] = [
        Self::Phantom,
        Self::ResurrectedDelete,
        Self::LostDelete,
        Self::SkippedItem,
        Self::StaleScan,
        Self::FracturedScan,
        Self::StaleOwnRead,
        Self::MissedOwnUpdate,
        Self::ScanReadSkew,
    ];

    /// The name people type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Phantom => "phantom",
            Self::ResurrectedDelete => "resurrected-delete",
            Self::LostDelete => "lost-delete",
            Self::SkippedItem => "skipped-item",
            Self::StaleScan => "stale-scan",
            Self::FracturedScan => "fractured-scan",
            Self::StaleOwnRead => "stale-own-read",
            Self::MissedOwnUpdate => "missed-own-update",
            Self::ScanReadSkew => "scan-read-skew",
        }
    }

    /// The fault with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fault| fault.name() == name)
    }
}

/// A history with a lie in it.
#[derive(Clone, Debug)]
pub struct Injected {
    /// The history: the correct one and, after its end, the transactions around the lie.
    pub history: History,
    /// The history with the same transactions and without the lie.
    pub truth: History,
    /// The operation whose result is wrong.
    pub op: OpRef,
    /// What is wrong with it, in words.
    pub description: String,
}

/// Adds a fault to a correct history whose committed transactions are listed in commit order, as
/// [`Workload::run`](super::Workload::run) and [`atomic_store`](super::atomic_store) make them.
pub fn inject(history: &History, fault: Fault, seed: u64) -> Injected {
    let mut scene = Scene::after(history, seed);
    let lie = match fault {
        Fault::Phantom => scripts::phantom(&mut scene),
        Fault::ResurrectedDelete => scripts::resurrected_delete(&mut scene),
        Fault::LostDelete => scripts::lost_delete(&mut scene),
        Fault::SkippedItem => scripts::skipped_item(&mut scene),
        Fault::StaleScan => scripts::stale_scan(&mut scene),
        Fault::FracturedScan => scripts::fractured_scan(&mut scene),
        Fault::StaleOwnRead => scripts::stale_own_read(&mut scene),
        Fault::MissedOwnUpdate => scripts::missed_own_update(&mut scene),
        Fault::ScanReadSkew => scripts::scan_read_skew(&mut scene),
    };
    let truth = scene.finish();
    let mut lying = truth.clone();
    lie.tell(&mut lying);
    Injected { history: lying, truth, op: lie.op, description: lie.description }
}
