//! Cobra's client logs: a folder with one binary file per session.
//!
//! ```text
//!   T24.log    S txn                            a transaction begins
//!              W write key content              it writes
//!              R writer write key content       it reads what `writer` wrote with `write`
//!              C txn                            it has committed (`A`: it was aborted)
//! ```
//!
//! A record is a letter and integers of eight bytes each, most significant byte first. Keys and
//! contents are hashes, so that nothing but their being equal is known. Every write has an id of
//! its own and every read names the write that it saw: here that id is the *value*. Some numbers
//! are [marks](marks::Mark) instead of ids, as for a key that was not there.
//!
//! - A read of the value that was loaded before the run names no write. The key then starts with
//!   the value `init`, which no transaction writes.
//! - A read that names a write that is in no log has seen a value that no transaction wrote, and so has
//!   one whose key, content or writer are not those of the write it names.
//! - In the *anonymous* variant (made for VeriStrong) all ids are one mark. The content is the
//!   value, and values repeat.
//! - All deletes have one id, so a read that names it has seen that the key was absent. Whose
//!   delete it saw is a hint.
//! - A log contains whole transactions only: they are written down after they have ended. If one
//!   is cut off, the file has been damaged.
//!
//! What other formats call a line is a record here, counted from 1 in each file.
//!
//! With the option `TIMESTAMP_ON` a time follows the id in `S`, `C` and `A`, in milliseconds. Cobra
//! takes it *after* the call of begin has returned and *before* it calls commit. As a session
//! does one thing after the other, the times around them bound the rest: a transaction began
//! after the commit before it was called, and had ended when the next one had begun.

mod codes;
mod index;
mod losses;
mod marks;
mod names;
mod plan;
mod reader;
mod records;
mod steps;
mod write_ids;
mod writer;

pub(crate) use losses::losses;
pub(crate) use reader::read;
pub(crate) use writer::write;

/// Whether a file starts like a Cobra log: a letter, and a number that is hardly ever a text.
pub(crate) fn is_likely(head: &[u8]) -> bool {
    let is_text = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    head.len() >= 9 && head[0] == b'S' && !head[1..9].iter().all(is_text)
}
