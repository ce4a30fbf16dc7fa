//! Passes over a log, from greedy to complete.
//!
//! The greedy pass follows the first way that works: statement snapshots before single rows, and rows
//! that stay locked until their writer ends. Where the database tells in which order transactions
//! committed, the next pass takes that order and looks at no other; a database that locks what it
//! reads is explained by it. Where the greedy pass got stuck, it is mended (`mend.rs`). The quick pass follows several
//! worlds. All of them may get stuck where a correct database does not, so nothing is rejected before
//! everything was tried.
//!
//! An answer that is wrong in every state is found without any order (`impossible.rs`). Where a little mending does not
//! help, mistakes are looked for after the place where the greedy pass got stuck (`suspects.rs`), before it is mended
//! with more patience (`schedule.rs`).
//!
//! What nothing explains of one row nothing explains in the log (`rows.rs`): the log is projected onto the rows with one
//! key, and all orders of what remains are tried. A query that shows no single rows is carried out on all versions that its
//! rows may have had (`versions.rs`).
//!
//! What nothing explains in a part of a log nothing explains in the whole, if the part has everybody who
//! writes what it reads. So slices come first, in which there are far fewer orders to tell apart: the
//! statements that matter to the rows which the unexplained one looks at, with and without
//! other readers, and then all transactions that write.

mod decide;
mod impossible;
mod kept;
mod mend;
mod never_stored;
mod pass;
mod rows;
mod run;
mod salvage;
mod schedule;
mod stuck;
mod suspects;
mod versions;

pub(crate) use decide::{decide, decide_soon};
pub(crate) use pass::{End, Pass, run_until};
pub(crate) use run::Run;
pub(crate) use salvage::{Salvage, salvage};
