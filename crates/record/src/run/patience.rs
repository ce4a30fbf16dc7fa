//! Waiting for a database that is away for a while.

use std::thread;
use std::time::{Duration, Instant};

use crate::Failure;

/// How long it may be away.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long to wait before it is asked again.
const PAUSE: Duration = Duration::from_millis(20);

/// Asks until there is an answer, as long as that makes sense.
pub(crate) fn patiently<T>(
    goes_on: impl Fn() -> bool,
    ask: impl Fn() -> Result<T, Failure>,
) -> Result<T, Failure> {
    let give_up = Instant::now() + PATIENCE;
    loop {
        match ask() {
            Err(Failure::Lost(_) | Failure::Refused(_))
                if goes_on() && Instant::now() < give_up =>
            {
                thread::sleep(PAUSE);
            }
            answer => return answer,
        }
    }
}
