//! Abstract histories as one line of text.
//!
//! ```text
//!   w(x) > w(y) | r(y,2) r(x,0)
//! ```
//!
//! Sessions are divided by `|`, the transactions of a session by `>`. Transactions are numbered
//! from 1 as they appear; `r(x,2)` reads the version of `x` that transaction 2 wrote, `r(x,0)` the
//! initial one; `-` is a transaction without operations. Times and promises are not part of the
//! text.

use std::fmt;
use std::str::FromStr;

use crate::history::{AbstractHistory, AbstractTxn, Read};

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LitmusError {
    /// Not an operation.
    #[error("'{0}' is neither a read like r(x,0) nor a write like w(x)")]
    Operation(String),
    /// A transaction does something twice, or reads a key that it has written.
    #[error("transaction {0} writes a key twice, reads it twice, or reads it after writing it")]
    Repeated(usize),
    /// A read from a transaction that did not write the key.
    #[error("transaction {reader} reads {key} from {from}, which is itself or does not write it")]
    Source {
        /// The number of the reading transaction.
        reader: usize,
        /// The name of the key.
        key: String,
        /// Whom it claims to read from.
        from: usize,
    },
}

impl fmt::Display for AbstractHistory {
    /// The text of the history; transactions appear session by session, so they should be
    /// numbered that way ([`AbstractHistory::renumbered`]).
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, session) in self.sessions.iter().enumerate() {
            if place > 0 {
                out.write_str(" | ")?;
            }
            for (place, &number) in session.iter().enumerate() {
                if place > 0 {
                    out.write_str(" > ")?;
                }
                match self.operations_of(number).as_slice() {
                    [] => out.write_str("-")?,
                    operations => out.write_str(&operations.join(" "))?,
                }
            }
        }
        Ok(())
    }
}

impl AbstractHistory {
    /// What a transaction does, as texts like `r(x,0)` and `w(x)`.
    pub fn operations_of(&self, number: usize) -> Vec<String> {
        let Some(txn) = self.txn(number) else { return Vec::new() };
        let reads =
            txn.reads.iter().map(|read| format!("r({},{})", self.keys[read.key], read.from));
        let writes = txn.writes.iter().map(|&key| format!("w({})", self.keys[key]));
        reads.chain(writes).collect()
    }

    fn key_named(&mut self, name: &str) -> usize {
        match self.keys.iter().position(|known| known == name) {
            Some(key) => key,
            None => {
                self.keys.push(name.to_owned());
                self.keys.len() - 1
            }
        }
    }

    fn check_sources(&self) -> Result<(), LitmusError> {
        for (reader, txn) in (1..).zip(&self.txns) {
            for &Read { key, from } in &txn.reads {
                let written = self.txn(from).is_some_and(|txn| txn.writes.contains(&key));
                if from != 0 && (from == reader || !written) {
                    let key = self.keys[key].clone();
                    return Err(LitmusError::Source { reader, key, from });
                }
            }
        }
        Ok(())
    }
}

impl FromStr for AbstractHistory {
    type Err = LitmusError;

    fn from_str(text: &str) -> Result<Self, LitmusError> {
        let mut history = Self::default();
        for session in text.split('|') {
            let mut numbers = Vec::new();
            for ops in session.split('>') {
                let number = history.txns.len() + 1;
                let txn = read_txn(&mut history, number, ops)?;
                history.txns.push(txn);
                numbers.push(number);
            }
            history.sessions.push(numbers);
        }
        history.check_sources()?;
        Ok(history)
    }
}

fn read_txn(
    history: &mut AbstractHistory,
    number: usize,
    ops: &str,
) -> Result<AbstractTxn, LitmusError> {
    let mut txn = AbstractTxn::default();
    if ops.trim() == "-" {
        return Ok(txn);
    }
    for op in ops.split_whitespace() {
        let (key, from) = parts(op).ok_or_else(|| LitmusError::Operation(op.to_owned()))?;
        let key = history.key_named(key);
        let read = txn.reads.iter().any(|read| read.key == key);
        if txn.writes.contains(&key) || (read && from.is_some()) {
            return Err(LitmusError::Repeated(number));
        }
        match from {
            Some(from) => txn.reads.push(Read { key, from }),
            None => txn.writes.push(key),
        }
    }
    txn.writes.sort_unstable();
    Ok(txn)
}

/// The key of an operation and, if it is a read, whom it reads from.
fn parts(op: &str) -> Option<(&str, Option<usize>)> {
    let (kind, rest) = op.split_once('(')?;
    let inside = rest.strip_suffix(')')?;
    match kind {
        "w" if !inside.is_empty() && !inside.contains(',') => Some((inside, None)),
        "r" => {
            let (key, from) = inside.split_once(',')?;
            (!key.is_empty()).then_some((key, Some(from.parse().ok()?)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_again() {
        for text in
            ["w(x) > w(y) | r(y,2) r(x,0)", "r(x,0) w(x) | r(x,0) w(x)", "w(x) > - > r(x,0) | -"]
        {
            let history: AbstractHistory = text.parse().expect("it is well formed");
            assert_eq!(history.to_string(), text);
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let error = |text: &str| text.parse::<AbstractHistory>().expect_err(text);
        assert_eq!(error("w(x) q"), LitmusError::Operation("q".to_owned()));
        assert_eq!(error("r(x)"), LitmusError::Operation("r(x)".to_owned()));
        assert_eq!(error("w(x) r(x,0)"), LitmusError::Repeated(1));
        assert_eq!(error("w(x) | r(x,0) r(x,1)"), LitmusError::Repeated(2));
        let source = LitmusError::Source { reader: 2, key: "y".to_owned(), from: 1 };
        assert_eq!(error("w(x) | r(y,1)"), source);
        assert!(matches!(error("r(x,1) w(x)"), LitmusError::Source { .. }));
    }
}
