//! What all databases behind a server have in common: one waits for their answers, and their
//! addresses have some options.

use std::future::Future;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use crate::connection::Range;
use crate::url::UrlError;
use crate::{DatabaseError, Url};

/// How long a server may take to answer, unless the address says otherwise (`timeout=SECONDS`).
const PATIENCE: Duration = Duration::from_secs(30);

/// Lets one thread use an asynchronous driver: it waits for every answer, but not forever.
///
/// A server that cannot be reached any more says nothing at all, so silence means that the
/// connection is lost.
pub(super) struct Waiting {
    pub(super) runtime: Runtime,
    pub(super) patience: Duration,
}

impl Waiting {
    pub(super) fn new(patience: Duration) -> Result<Self, DatabaseError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| DatabaseError::Lost(error.to_string()))?;
        Ok(Self { runtime, patience })
    }

    /// The answer; [`DatabaseError::Lost`] if it does not come in time.
    pub(super) fn until<T>(&self, answer: impl Future<Output = T>) -> Result<T, DatabaseError> {
        let silence = || format!("no answer within {} s", self.patience.as_secs());
        let answer = self.runtime.block_on(async { timeout(self.patience, answer).await });
        answer.map_err(|_| DatabaseError::Lost(silence()))
    }
}

/// The option `timeout` of an address, in whole seconds.
pub(super) fn patience(url: &Url) -> Result<Duration, UrlError> {
    let Some(text) = url.option("timeout") else { return Ok(PATIENCE) };
    match text.parse() {
        Ok(seconds @ 1..=86_400) => Ok(Duration::from_secs(seconds)),
        _ => Err(UrlError::new(format!("timeout={text}"), "seconds, for example timeout=30")),
    }
}

/// The option `hints` of an address: whether transactions are asked in which order they committed.
pub(super) fn hints(url: &Url) -> Result<bool, UrlError> {
    match url.option("hints") {
        None | Some("on") => Ok(true),
        Some("off") => Ok(false),
        Some(text) => Err(UrlError::new(format!("hints={text}"), "hints=on or hints=off")),
    }
}

/// The first and the last key of a range, for `BETWEEN`. If there can be none, the last comes before
/// the first.
pub(super) fn ends(range: Range) -> (i64, i64) {
    let first = range.lo.unwrap_or(i64::MIN);
    match range.hi.map(|hi| hi.checked_sub(1)) {
        None => (first, i64::MAX),
        Some(Some(last)) => (first, last),
        Some(None) => (i64::MAX, i64::MIN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().expect("an address")
    }

    #[test]
    fn ranges_become_pairs_of_keys() {
        let range = |lo, hi| ends(Range { lo, hi });
        assert_eq!(range(None, None), (i64::MIN, i64::MAX));
        assert_eq!(range(Some(3), Some(7)), (3, 6));
        assert_eq!(range(Some(3), Some(3)), (3, 2));
        let (first, last) = range(None, Some(i64::MIN));
        assert!(first > last, "no key is less than all keys");
    }

    #[test]
    fn options_are_read_from_the_address() {
        let given = url("mysql://h/x?timeout=7&hints=off");
        assert_eq!((patience(&given), hints(&given)), (Ok(Duration::from_secs(7)), Ok(false)));
        let silent = url("mysql://h/x");
        assert_eq!((patience(&silent), hints(&silent)), (Ok(PATIENCE), Ok(true)));
        for text in ["mysql://h/x?timeout=0", "mysql://h/x?timeout=soon"] {
            assert!(patience(&url(text)).is_err(), "{text}");
        }
        assert!(hints(&url("mysql://h/x?hints=yes")).is_err());
    }

    #[test]
    fn an_answer_that_does_not_come_is_lost() {
        let waiting = Waiting::new(Duration::from_millis(10)).expect("a runtime");
        let silence = waiting.until(std::future::pending::<()>());
        assert!(matches!(silence, Err(DatabaseError::Lost(_))), "{silence:?}");
        assert_eq!(waiting.until(async { 5 }), Ok(5));
    }
}
