//! How long a check takes, how much memory, and how both grow.
//!
//! ```text
//!   suite ──► cases ──► one process each ──► rows ──► table, JSON, SVG
//!                        (single)              ▲
//!                             peers ───────────┘  the same history, another checker
//! ```
//!
//! A [`Case`] says what is generated and what is asked about it. A [`Runner`] starts a process for
//! every case, which answers with a [`Measurement`]: the peak memory that the system tells is that
//! of a process. If the process dies, for want of memory perhaps, the row says so.
//!
//! Nothing here prints. Times are those of this machine and this run.

mod baseline;
mod case;
mod error;
mod growth;
mod isolde;
mod limits;
mod measure;
mod peer;
mod peer_run;
mod plot;
mod report;
mod row;
mod run;
mod runner;
mod scratch;
mod search;
mod single;
mod size;
mod suite;
mod table;

pub use baseline::{Baseline, Compared};
pub use case::{Case, Store};
pub use error::BenchError;
pub use growth::{Growth, growth};
pub use isolde::{ISOLDE_SIZES, IsoldeAnswer, IsoldeCell, IsoldeRow, IsoldeTable, isolde};
pub use limits::{Inputs, Kept, LimitedCommand, keep, limits_table};
pub use peer::{KNOWN_PEERS, KnownPeer, Peer};
pub use plot::plot;
pub use report::Report;
pub use row::{Measurement, PeerRow, Read, Row, Stage};
pub use runner::{Order, Runner};
pub use search::{Cliff, Search, worst};
pub use single::obey;
pub use size::{parse_size, show_size};
pub use suite::{SUITES, Suite};
pub use table::Table;
