//! Commits, and the numbers that a server with a binary log gives to them.

use mysql_async::Row;
use mysql_async::prelude::Queryable;

use super::failures;
use super::link::{Link, shaped};
use crate::DatabaseError;
use crate::connection::Committed;

/// How a session commits.
pub(super) struct Commits {
    hints: bool,
    /// The number of the session's last transaction that has one.
    last_number: Option<i64>,
}

impl Commits {
    pub(super) fn new(hints: bool) -> Self {
        Self { hints, last_number: None }
    }

    /// Commits, and finds out the number of the transaction if numbers are wanted.
    pub(super) fn commit(&mut self, link: &mut Link) -> Result<Committed, DatabaseError> {
        if !self.hints {
            return plainly(link).map(|()| Committed::default());
        }
        // A transaction that changed nothing has no number, and the last one is answered again.
        let number = with_number(link)?;
        let stamp = number.filter(|_| number != self.last_number);
        self.last_number = number.or(self.last_number);
        Ok(Committed { stamp, tag: None })
    }
}

/// Commits and asks for the number of the last transaction, in one go. The first answer is the one
/// to `COMMIT`; once it is there, the transaction has committed whatever becomes of the second.
fn with_number(link: &mut Link) -> Result<Option<i64>, DatabaseError> {
    let Link { server, waiting } = link;
    let answers = async {
        let mut answers = server.query_iter("COMMIT; SELECT @@last_gtid").await?;
        let _ = answers.collect::<Row>().await;
        let number = answers.collect::<Row>().await;
        let _ = answers.drop_result().await;
        Ok(number)
    };
    let second = waiting.until(answers)?.map_err(|error| failures::of_commit(&error))?;
    let rows: Vec<(String,)> = second.ok().and_then(|rows| shaped(rows).ok()).unwrap_or_default();
    Ok(rows.first().and_then(|(text,)| sequence_number(text)))
}

fn plainly(link: &mut Link) -> Result<(), DatabaseError> {
    let answer = link.waiting.until(link.server.query_drop("COMMIT"))?;
    answer.map_err(|error| failures::of_commit(&error))
}

/// The last part of a GTID, as in `0-1-270`.
fn sequence_number(gtid: &str) -> Option<i64> {
    gtid.rsplit_once('-').and_then(|(_, number)| number.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_gtids() {
        assert_eq!(sequence_number("0-1-270"), Some(270));
        assert_eq!(sequence_number(""), None);
    }
}
