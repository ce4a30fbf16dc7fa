//! Every level rejects the history its page shows, and no transaction of it can be left out.

use tristan_formats as formats;
use tristan_history::History;
use tristan_oracle::{Judgement, judge};
use tristan_spec::{Catalog, Level};

fn read(text: &str) -> History {
    formats::read(text.as_bytes(), "smallest", Some(formats::Format::Simple)).expect(text)
}

fn natural(name: &str) -> Level {
    Catalog::default().find(name).expect(name)
}

#[test]
fn every_level_rejects_its_own_example() {
    for family in Catalog::default().families() {
        let history = read(&family.smallest_rejected);
        let judgement = judge(&history, &natural(&family.name), 0);
        assert_eq!(judgement, Judgement::Reject, "{}", family.name);
    }
}

#[test]
fn examples_without_their_last_transaction_are_accepted() {
    for family in Catalog::default().families() {
        let lines: Vec<&str> = family.smallest_rejected.lines().collect();
        // Leaving out the last keeps every write that is read, except where the last is read
        // by the others: then the read has no source and the rejection is another one.
        let shorter = lines[..lines.len() - 1].join("\n");
        let history = read(&shorter);
        let judgement = judge(&history, &natural(&family.name), 0);
        let dangling =
            matches!(family.name.as_str(), "read-committed" | "generalized-snapshot-isolation");
        assert_eq!(judgement == Judgement::Reject, dangling, "{}", family.name);
    }
}
