//! Builds a history and compares what levels say about it.

use tristan_history::HistoryBuilder;
use tristan_oracle::{Judgement, judge};
use tristan_spec::Catalog;

/// Checks the judgement of each level on the history built.
pub fn check(levels: &[(&str, Judgement)], build: impl Fn(&mut HistoryBuilder)) {
    let mut builder = HistoryBuilder::default();
    build(&mut builder);
    let history = builder.finish();
    for &(name, expected) in levels {
        let level = Catalog::default().find(name).expect(name);
        assert_eq!(judge(&history, &level, 0), expected, "{name} on {history:?}");
    }
}
