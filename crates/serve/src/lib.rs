//! A local page over many verdicts, audits and traces: a list with filters, reports, two runs side by
//! side, and a place to drop a trace on.
//!
//! ```text
//!   browser ──► http ──► site ──┬──► folder   what lies below the folder, read only
//!              (who may ask,    └──► jobs     checks of dropped traces, in memory
//!               and how much)
//! ```
//!
//! Four rules keep it harmless:
//!
//! 1. Nothing is ever written. A file that is dropped on a page is kept in memory, up to a limit.
//! 2. Only what the walk through the folder has found is served, by its exact name. A path that is
//!    asked for is looked up and never put together; symbolic links are not followed.
//! 3. Only requests that name this machine by address or as `localhost` are answered, so a page
//!    from elsewhere cannot read along by giving its own name this machine's address. Whatever
//!    starts work must come from our own pages.
//! 4. Everything has an end: heads, bodies, the time a request may take, threads, checks in line.

mod error;
mod folder;
mod http;
mod jobs;
mod server;
mod site;
mod sql_log;

pub use error::ServeError;
pub use server::{BoundServer, Serve};
