//! Litmus tests: small interleavings that show what a database really allows.
//!
//! ```text
//!   catalogue ──► Case ──► Stage ──► Observation ──► Finding
//!   my.litmus     (parse)   │  ▲      what every       allowed, prevented,
//!                           ▼  │      step answered    blocked or aborted
//!                       one thread per session
//! ```
//!
//! A [`Case`] says who does what in which order, and which sight would be an anomaly. The stage
//! lets the sessions act one step at a time. A step that has to wait for a lock stays behind,
//! and with it the rest of its session, until another session lets it go on; all others continue.
//!
//! What comes out does not depend on how fast the machine is: a step waits if the database says so
//! ([`crate::sql::LockWatch`]), not because it takes long.

mod actor;
mod case;
mod catalogue;
mod condition;
mod error;
mod finding;
mod parse;
mod stage;
mod survey;
mod table;
mod tokens;
mod transcript;

pub use case::{Action, Case, Query, Setup, Step};
pub use catalogue::catalogue;
pub use condition::{Condition, Observations, Operand, Test, Value};
pub use error::{CaseError, PlayError};
pub use finding::{Answer, Finding, Observation, Told};
pub use parse::parse;
pub use stage::Stage;
pub use survey::{Cell, Row, Survey};
pub use table::Table;
pub use transcript::transcript;
