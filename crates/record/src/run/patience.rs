//! Waiting for a database that is away for a while.

use std::thread;
use std::time::{Duration, Instant};

use crate::DatabaseError;

/// How long it may be away.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long to wait before it is asked again.
const PAUSE: Duration = Duration::from_millis(20);

/// Asks until there is an answer, as long as that makes sense.
pub(crate) fn patiently<T>(
    goes_on: impl Fn() -> bool,
    ask: impl Fn() -> Result<T, DatabaseError>,
) -> Result<T, DatabaseError> {
    let give_up = Instant::now() + PATIENCE;
    loop {
        match ask() {
            Err(DatabaseError::Lost(_) | DatabaseError::Refused(_))
                if goes_on() && Instant::now() < give_up =>
            {
                thread::sleep(PAUSE);
            }
            answer => return answer,
        }
    }
}
