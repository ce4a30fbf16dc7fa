//! Which orders explain everything.
//!
//! ```text
//!   time ───────────────────────────────────────────────►
//!   T1   ├───────────┤ deadline: T1 is in every world by now
//!   T2       ├──────────────┤
//!   T3            ├───┤ deadline: before it, those of T1, T2 that matter to T3 may be put first
//! ```
//!
//! Transactions are put in order just in time: one has to be in when its interval ends, and then
//! every order of those that are open and matter may come before it (`explore.rs`). What commutes is not
//! tried in both orders, and a transaction that writes nothing has no place in the order: it only
//! needs a state, among those of its time, that explains it.
//!
//! What cannot be decided yet makes several *worlds* ([`crate::world::World`]). The paper has
//! one formula over all possible values for that, and a solver. Worlds are concrete, so
//! statements are simply carried out; they fall together again as soon as the difference is
//! overwritten or observed, which on logs of real databases is at once. A world that cannot explain
//! a transaction is gone, and when the last one is gone no correct execution is left.
//!
//! # Why nothing is lost
//!
//! A pass that tries everything may reject a log. This section says what it has to prove for that, and
//! how the parts of the proof fit together.
//!
//! An *explanation* of a log is a sequence π of transactions, with a *way* for each: the states that its
//! statements read, and the answers to what they leave open. State `n` is what the first `n`
//! transactions of π that write leave behind. π has every transaction that has to be explained, and may
//! have others of unknown outcome. The conditions are:
//!
//! * **Answers**: carried out in its way, every statement gives what was observed.
//! * **Level**: each way reads states that the level allows the transaction at its place in π, and nobody
//!   else writes its rows in between where the level says so ([`crate::level`]).
//! * **Time**: if `X` comes before `Y` in π, then lo(X) ≤ hi(Y); `lo` and `hi` bound the moment at which
//!   a transaction takes effect.
//! * **Turns**, at `ssi` and `mariadb-rr`: if `R` had read its snapshot before `R'` began, that of `R'` is
//!   not older.
//!
//! At levels other than `ser` and `sser`, transactions that leave nothing behind are in π only for the
//! sake of the states they read; their place does not matter.
//!
//! **Theorem.** If a log has an explanation, a pass that tries everything ends with a world, or notes a
//! cut. So if it ends without a world and without a cut, there is no explanation.
//!
//! *Proof.* After each deadline there is a world that some explanation begins with. This is true at first,
//! for the empty world. Let the deadline of `T` come, and let π begin with the world `w`. If `T` is in `w`,
//! there is nothing to do. Otherwise π = w·u·T·β, and Theorem 1 (`explore.rs`) gives a world that an
//! equivalent explanation begins with. It is kept, or a cut is noted, or another world is kept that no
//! open or later transaction can tell from it (`merge.rs`), and β explains the rest there as well. ∎
//!
//! The theorem rests on Theorem 1, which rests on the exchange lemma (`commute.rs`), and that on what a
//! reach promises (`statement/reach.rs`). If stamps give the order of commits (`CommitOrder::Exact`), there is one
//! order to try, and nothing of this is used.
//!
//! What is proved is tested: `exhaustive.rs` compares the search with one that leaves out no order, on all
//! logs of a small size, and `tests/oracle.rs` with brute force on random ones.

mod combined;
mod commute;
#[cfg(test)]
mod exhaustive;
mod explore;
mod extent;
mod merge;
mod place;
mod projection;
#[cfg(test)]
mod serial_logs;
mod survey;
mod turn;
mod versions;
mod world_search;

pub(crate) use combined::Combined;
pub(crate) use extent::{Extent, Stretches};
pub(crate) use projection::{Log, Projected};
pub(crate) use versions::Patience;
pub(crate) use world_search::{Impossible, SearchError, State, Unexplained, WorldSearch};
