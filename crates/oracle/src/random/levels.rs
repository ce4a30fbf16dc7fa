//! Which level each transaction asked for.

use tristan_generate::Rng;
use tristan_history::History;

use crate::random::draw::pick;

/// The levels that can be mixed, each in some of the ways people write it.
const NAMES: [[&str; 3]; 4] = [
    ["read-uncommitted", "READ UNCOMMITTED", "pl-1"],
    ["read-committed", "Read Committed", "rc"],
    ["repeatable-read", "REPEATABLE READ", "PL-2.99"],
    ["serializable", "SERIALIZABLE", "ser"],
];

/// Gives every transaction one of two, or one of four levels; some leave it to the header.
pub(crate) fn give(rng: &mut Rng, history: &mut History) {
    let (first, second) = (pick(rng, 4), pick(rng, 4));
    let any = rng.percent(50);
    history.header.level = Some(NAMES[first][0].to_owned());
    for txn in &mut history.txns {
        let level = match (any, rng.percent(50)) {
            (true, _) => pick(rng, 4),
            (false, true) => first,
            (false, false) => second,
        };
        let unsaid = level == first && rng.percent(50);
        txn.level = (!unsaid).then(|| NAMES[level][pick(rng, 3)].into());
    }
}
