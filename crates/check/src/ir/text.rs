//! The text form of the IR: one thing per line, for people and for file tests.
//!
//! ```text
//!   ir 1                                          the version of this form
//!   formula acyclic((wr | so) | ww | rw)          see `tristan_spec::formula`
//!   drift 0                                       nanoseconds
//!   unit 0 txn=0 sure reads writes begin=[5,_] end=[_,9]
//!   unit 1 txn=3 maybe unknown reads              `_` and a missing interval: not known
//!   unit 2 txn=4 sure reads writes promise=serializable
//!   order 0 "x" : 0 2                             a text key and its writers
//!   order 1 7 : 1                                 an integer key
//!   read 0 unit=1 op=2 order=0 oneof initial 0 2 claim=absent
//!   read 1 unit=2 op=0 order=1 oneof 1 shows=[1]
//!   edge 0 -> 2 so reason=session
//!   edge 1 -> 2 ww reason=listed order=1 reader=4 op=0
//!   edge 0 -> 1 so reason=module "my module"
//! ```
//!
//! The index after `unit`, `order` and `read` counts from 0; it is there to be read. A claim is
//! `absent`, `present` or the number of a value. `;` starts a comment, but not within a
//! `formula`, where it means composition. Texts stand in quotes, with `\"`, `\\`, `\n`, `\r`,
//! `\t` and `\u{…}` for what cannot stand there itself.
//!
//! Reading does not judge: [`super::verify`] does.

mod parse;
mod print;
mod token;

pub use parse::parse;
pub use print::print;
pub(crate) use print::quoted;

/// A text that is no IR.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: found {found}, expected {expected}")]
pub struct IrTextError {
    /// The line, from 1.
    pub line: usize,
    /// What stands there.
    pub found: String,
    /// What would have been right.
    pub expected: String,
}
