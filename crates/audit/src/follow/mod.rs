//! Judges a log while it is written, piece by piece, and forgets what is judged.
//!
//! ```text
//!   lines ──► transactions ──► piece ──► judged, replayed ──► state at the cut ──► next piece
//!                                │            │ not explained                       │
//!                                │            ▼                                     │
//!                                │     from an earlier, certain state               │
//!                                └──────────────────────────────────────────────────┘
//! ```
//!
//! ```text
//!   window.rs    the transactions that wait to be judged, and where to cut
//!   cut.rs       what is left of a judged piece: a state, and the transactions that go on
//!   certain.rs   whether that state is the only possible one
//!   follower.rs  all of it, line by line
//!   lines.rs     where the lines are that are needed again after a restart
//!   checkpoint.rs  a state in a file, to go on from later
//!   report.rs    what there is to tell on the way
//! ```
//!
//! # Why a cut loses nothing
//!
//! An explanation is an order π of the transactions, with the states that they read; [`crate::search`] has the
//! conditions. Let `t` be a moment such that every transaction that is not known yet begins at `t` or later. The known
//! transactions with hi < t are *closed*, the others are *open*. If a transaction `X` that is not known came before a
//! closed `Y` in π, then t ≤ lo(X) ≤ hi(Y) < t. So what comes before the last closed transaction in π is known: the
//! closed ones and some of the open ones, and no closed one reads anything else. A piece is therefore judged as a log
//! in which the open transactions are of unknown outcome: they may have taken effect or not. If nothing explains
//! this, nothing explains the log.
//!
//! **Accepting.** Let π explain a piece. There are two ways to cut:
//!
//! * *Quiet*: no transaction is open at `t`. Every later transaction begins after all of the piece have ended. At
//!   the levels that can be followed it sees all of them, wherever it is put, and comes after them. So π,
//!   followed by an explanation of the rest that starts with the state after π, is an explanation of the log.
//! * *Busy*, at `ser` and `sser` only: `t` may be earlier here, as long as all transactions that begin at `t` or later
//!   count as open. Let `p` be the last place in π that a closed transaction has or reads. Whatever
//!   is at `p` or before stays there; the open transactions behind it go on to the next piece, with all of their
//!   statements, since a serial transaction reads where it takes effect. They come after everything that
//!   stays, as they do in π, and so do later ones, which begin at `t` or later: lo(X) ≤ t ≤ hi(Y) for each `X`
//!   that stays. Again, the explanations of the pieces, one after the other, explain the log.
//!
//! Each piece is replayed ([`crate::replay`]) before it is forgotten, and the state at the cut is taken from the tables
//! of the replay, so an accept does not rest on the search.
//!
//! **Rejecting.** The state at a cut is that of *one* explanation of what comes before. Another explanation may leave
//! another state, from which the next piece can be explained. So nothing is rejected from such a state. It is
//! judged again from the last state that is *certain*, with all transactions since then. The first state of a log is
//! certain. So is the state at a quiet cut if everything was tried from a certain state on, and one world was left: by
//! the theorem of [`crate::search`], if anything explains the log, it goes on from that world. Only if the
//! transactions since the last certain state have become too many to keep, the verdict is unknown.
//!
//! # Levels
//!
//! `si` and `rc` let a transaction read a state of any age, so no state can be forgotten; and without times
//! (`CommitOrder::Free`) nothing is ever over. Stamps that are the order of commits (`CommitOrder::Exact`) may
//! come after the transactions. Such audits are refused.

mod certain;
mod checkpoint;
mod cut;
mod follower;
mod lines;
mod report;
mod window;

pub use follower::{FollowOptions, Follower};
pub use report::{FollowReport, Followed};
