//! The table of classical histories, cell by cell, and the pairs of levels it separates.

use tristan_history::History;
use tristan_oracle::{
    Judgement, judge,
    litmus::{LEVELS, TABLE, history, separations},
};
use tristan_spec::{Catalog, Level, Strength};

fn level(name: &str) -> Level {
    Catalog::default().find(name).expect(name)
}

fn accepts(name: &str, history: &History) -> bool {
    match judge(history, &level(name), 0) {
        Judgement::Accept => true,
        Judgement::Reject => false,
        Judgement::Unsupported => unreachable!("{name} is supported"),
    }
}

#[test]
fn every_cell_of_the_table() {
    for litmus in TABLE {
        let history = litmus.history();
        for (name, expected) in litmus.verdicts() {
            assert_eq!(accepts(name, &history), expected, "{} at {name}", litmus.name);
        }
    }
}

#[test]
fn every_separation_separates_with_the_stated_size() {
    for separation in separations() {
        let history = separation.history();
        assert!(accepts(separation.accepts, &history), "{separation:?}");
        assert!(!accepts(separation.rejects, &history), "{separation:?}");
        assert_eq!(history.txns.len(), separation.txns, "{separation:?}");
        assert_eq!(history.keys.len(), separation.keys, "{separation:?}");
    }
}

/// The published matrix: row allowed, column disallowed, number of transactions and keys;
/// (0, 0) where the row implies the column. In the order of `LEVELS`.
const SIZES: [[(usize, usize); 8]; 8] = {
    const N: (usize, usize) = (0, 0);
    const A: (usize, usize) = (2, 1);
    const B: (usize, usize) = (3, 1);
    const C: (usize, usize) = (4, 2);
    const D: (usize, usize) = (2, 2);
    [
        [N, A, A, A, A, A, A, A],
        [N, N, A, B, A, B, A, A],
        [N, N, N, B, B, B, B, D],
        [N, N, A, N, A, C, A, A],
        [N, N, N, N, N, C, C, D],
        [N, N, A, N, A, N, A, A],
        [N, N, N, N, N, N, N, D],
        [N, N, N, N, N, N, N, N],
    ]
};

#[test]
fn separations_are_exactly_the_published_matrix() {
    for (row, accepts) in LEVELS.into_iter().enumerate() {
        for (column, rejects) in LEVELS.into_iter().enumerate() {
            let size = separations()
                .into_iter()
                .find(|found| found.accepts == accepts && found.rejects == rejects)
                .map_or((0, 0), |found| (found.txns, found.keys));
            assert_eq!(size, SIZES[row][column], "{accepts} but not {rejects}");
        }
    }
}

/// All histories of the given size in the notation of the table: per transaction and key a read
/// of some version (or none) and a write (or none); sessions are runs of the numbering.
fn all_histories(txns: usize, keys: &[&str], visit: &mut dyn FnMut(&History)) {
    let choices = (2 + txns) * 2;
    let cells = txns * keys.len();
    for joins in 0..1usize << (txns - 1) {
        for code in 0..choices.pow(u32::try_from(cells).expect("small")) {
            let mut rest = code;
            let mut text = String::new();
            for txn in 0..txns {
                if txn > 0 {
                    text += if joins >> (txn - 1) & 1 == 1 { " > " } else { " | " };
                }
                for key in keys {
                    let (read, write) = ((rest % choices) / 2, rest % 2 == 1);
                    rest /= choices;
                    if read > 0 {
                        text += &format!("r({key},{}) ", read - 1);
                    }
                    if write {
                        text += &format!("w({key}) ");
                    }
                }
            }
            visit(&history(&text));
        }
    }
}

fn assert_not_separated(txns: usize, keys: &[&str], smaller_than: &dyn Fn((usize, usize)) -> bool) {
    let levels = LEVELS.map(level);
    all_histories(txns, keys, &mut |history| {
        let judged = tristan_oracle::judge_all(history, &levels, 0);
        for (row, sizes) in SIZES.iter().enumerate() {
            for (column, &size) in sizes.iter().enumerate() {
                let apart = judged[row] == Judgement::Accept && judged[column] == Judgement::Reject;
                assert!(
                    !(apart && smaller_than(size)),
                    "{} accepts and {} rejects {history:?}",
                    LEVELS[row],
                    LEVELS[column]
                );
            }
        }
    });
}

#[test]
fn no_smaller_history_separates_two_levels() {
    assert_not_separated(1, &["x", "y"], &|_| true);
    assert_not_separated(2, &["x"], &|size| size != (2, 1));
    assert_not_separated(2, &["x", "y"], &|(txns, _)| txns != 2);
    assert_not_separated(3, &["x"], &|(txns, keys)| txns == 4 || (txns, keys) == (0, 0));
}

#[test]
fn every_level_of_the_library_is_known() {
    let stale = history("w(x) | r(x,0)");
    for level in Catalog::default().levels() {
        assert_eq!(judge(&stale, &level, 0), Judgement::Accept, "{}", level.name);
        assert!(level.strength.is_none_or(|strength| Strength::ALL.contains(&strength)));
    }
}
