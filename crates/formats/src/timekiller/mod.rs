//! The JSON format of TimeKiller (Chronos and Aion): transactions with the timestamps that the
//! database gave them.
//!
//! ```text
//!   [{"tid":67,"sid":19,"sts":{"p":1691420095,"l":61},"cts":{"p":1691420096,"l":18},
//!     "ops":[{"t":"w","k":7,"v":2},{"t":"r","k":8,"v":null}]}, …]
//! ```
//!
//! A timestamp is a hybrid logical clock, ordered by `p` and then by `l`. A transaction reads what
//! was committed up to its start `sts`, that moment included, and its own writes are there from its
//! commit `cts` on. That is what stamps of [hints](tristan_history::Hints) mean, so the timestamps become
//! stamps: numbers in the same order. They do not become times of calls and returns. Those are for
//! the clocks of clients, and a database that gives out odd timestamps would otherwise seem to
//! break real time. Levels with real time therefore come down to session order here.
//!
//! All transactions committed, and the array is in no particular order; within a session the order
//! is that of the starts. Operations are `r`, `w` and `a` (or `read`, `write`, `append`); a read
//! without a value found nothing. A key to which a transaction appends, or of which a list was read, is
//! a list.
//!
//! The format leaves open how keys start. They start with 0 if 0 was read from a key that
//! no transaction wrote 0 to, and absent otherwise. A read that found nothing shows that they do start
//! absent.

mod item;
mod reader;
mod stamps;

pub(crate) use reader::read;
