//! Histories of Jepsen and Elle: what a client asked on one line, what it was told on another.
//!
//! ```text
//!   {:index 0, :type :invoke, :process 3, :f :txn, :value [[:r 1 nil] [:append 2 7]]}
//!   {:index 1, :type :ok,     :process 3, :f :txn, :value [[:r 1 [5]] [:append 2 7]]}
//!   [{"type":"ok","process":3,"value":[["r","x",1],["w","y",2]]}]
//! ```
//!
//! The first two lines are EDN as Jepsen writes it, the third is the JSON of elle-cli; both may
//! be one map after the other or one vector of maps. `:append` and lists make it list-append,
//! `:w` makes it rw-register. Reading goes through small layers:
//!
//! ```text
//!   bytes ──text──► places ──parser──► forms ──entries──► maps ──entry──► fields
//!                                                                          │
//!                       History ◄──reader── pairs of entries ◄──operation──┘
//! ```
//!
//! A process is a session. Only the order of entries counts as time, so the clock of such a
//! history is the index of the entry. Entries of the nemesis become notes. Writing goes the other way:
//! `sayable` finds what Elle has words for, `plan` the order of the entries.

mod entries;
mod entry;
mod form;
mod losses;
mod lost;
mod opening;
mod operation;
mod parser;
mod plan;
mod reader;
mod sayable;
mod strings;
mod text;
mod writer;

pub(crate) use losses::losses;
pub(crate) use opening::starts_like_edn;
pub(crate) use reader::read;
pub(crate) use writer::write;
