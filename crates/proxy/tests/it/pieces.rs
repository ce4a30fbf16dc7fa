//! The network decides in which pieces bytes arrive. Log and trace do not depend on it.

use std::fs;
use std::path::Path;

use crate::common::folder;
use crate::nonsense;
use crate::torn::{Step, conversation, survive};
use tristan_proxy::Protocol;
use tristan_proxy::fuzzing::Side;

/// A conversation that makes sense.
fn sensible(protocol: Protocol) -> Vec<Step> {
    let side = |from_client| if from_client { Side::Client } else { Side::Server };
    let steps = nonsense::conversation(protocol).into_iter();
    let steps = steps.map(|(from_client, said)| (side(from_client), said));
    // The greeting of a MySQL server is not observed.
    steps.skip(usize::from(protocol == Protocol::MySql)).collect()
}

#[test]
fn the_size_of_pieces_changes_neither_log_nor_trace() {
    for protocol in Protocol::ALL {
        let folder = folder(&format!("pieces-{}", protocol.name()));
        for size in [1, 2, 3, 5, 8, 100] {
            survive(protocol, size, &sensible(protocol), &folder);
        }
    }
}

#[test]
fn changed_bytes_are_recorded_in_the_same_way_in_any_pieces() {
    for protocol in Protocol::ALL {
        let folder = folder(&format!("changed-pieces-{}", protocol.name()));
        let whole = sensible(protocol);
        for (step, (_, said)) in whole.iter().enumerate() {
            for place in 0..said.len() {
                let mut changed = whole.clone();
                changed[step].1[place] ^= 1 << (place % 8);
                survive(protocol, 1, &changed, &folder);
            }
        }
    }
}

/// They include the smallest conversations that fuzzing found to be recorded wrongly.
#[test]
fn the_seeds_of_the_fuzz_targets_leave_readable_logs_and_traces() {
    for protocol in Protocol::ALL {
        let folder = folder(&format!("seeds-{}", protocol.name()));
        let seeds = format!("../../fuzz/seeds/wire_{}", protocol.name());
        let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join(seeds);
        for seed in fs::read_dir(seeds).expect("a folder with seeds") {
            let bytes = fs::read(seed.expect("a seed").path()).expect("a file");
            let (size, steps) = conversation(protocol, &bytes);
            assert!(!steps.is_empty());
            survive(protocol, size, &steps, &folder);
        }
    }
}
