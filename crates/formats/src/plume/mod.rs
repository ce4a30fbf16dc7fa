//! The text format of Plume, which PolySI, IsoVista and the traces of TAPIR share: one operation per
//! line.
//!
//! ```text
//!   w(7,100,2,5)      transaction 5 of session 2 wrote 100 to key 7
//!   r(7,100,3,6)      transaction 6 of session 3 read 100 from key 7
//!   r(7,100,3,6,1)    the same; it was the operation with number 1
//!   w(7,101,2,-1)     a transaction wrote 101 and did not commit
//! ```
//!
//! The lines of a session are in its order; lines of different sessions are mixed freely. The format
//! does not show which of the operations that did not commit belong together, or in which session they
//! ran, so each becomes a transaction in a session of its own.
//!
//! Every key starts with 0. Some files begin with a transaction 0 that fills every key instead;
//! then it is that transaction that is read, and keys are absent before it.
//!
//! Older traces of TAPIR are tables with the columns
//! `op_id,client_id,transaction_id,mode,key,value`. Keys and values may be any text there, and an
//! empty value was read from a key that is absent.

mod collect;
mod line;
mod reader;
mod writer;

pub(crate) use line::is_likely;
pub(crate) use reader::read;
pub(crate) use writer::{losses, write};
