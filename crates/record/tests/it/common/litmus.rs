//! Tables of findings as text.

use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use tristan_record::litmus::{Stage, catalogue};
use tristan_record::sql::{SqlDatabase, open};

/// Opens the database at an address.
pub fn database(url: &str) -> Box<dyn SqlDatabase> {
    open(&url.parse().expect("an address")).expect("a database")
}

/// Stages on servers. A test that counts them is alone.
pub static STAGES: RwLock<()> = RwLock::new(());

/// Plays the catalogue at all levels: a line per case, a word per level.
pub fn table(database: &dyn SqlDatabase) -> Vec<String> {
    let _shared = STAGES.read().unwrap_or_else(PoisonError::into_inner);
    let mut stage = Stage::new(database, Duration::from_millis(100)).expect("a stage");
    let mut lines = Vec::new();
    for case in catalogue().expect("cases") {
        let mut line = case.name.clone();
        for level in database.levels() {
            line.push(' ');
            line.push_str(match case.is_for(database.dialect()) {
                true => stage.play(&case, level).expect("it can be played").finding.name(),
                false => "-",
            });
        }
        lines.push(line);
    }
    stage.close().expect("the stage can be removed");
    lines
}

/// The words of a table, a line per case.
pub fn expected(text: &str) -> Vec<String> {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    text.lines().map(words).filter(|line| !line.is_empty()).collect()
}
