//! The simple format: one JSON line per finished transaction.
//!
//! ```text
//!   {"initial":0,"own":"may"}                                           optional
//!   {"s":"alice","t0":5,"t1":9,"st":"c","ops":[["r","x",0],["w","x",1]]}
//! ```
//!
//! Easy to write by hand and to produce from a finished run. It knows when a transaction
//! started (`t0`) and when it was over (`t1`), not when it asked to commit.

mod line;
mod losses;
mod reader;
mod writer;

pub(crate) use losses::losses;
pub(crate) use reader::read;
pub(crate) use writer::write;
