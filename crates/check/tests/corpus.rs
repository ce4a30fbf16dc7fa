//! The corpus: each folder is named after the strongest level that accepts its histories.

#![allow(clippy::panic, reason = "helpers of tests")]

use std::fs;
use std::path::{Path, PathBuf};

use tristan_certify::{Certified, certify};
use tristan_check::{Options, Silent, check_levels};
use tristan_formats as formats;
use tristan_history::History;
use tristan_oracle::{Judgement, judge_all};
use tristan_spec::lattice::Lattice;
use tristan_spec::{Catalog, Level};

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

/// Every history of the corpus, with the name of its folder.
fn corpus() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let folders = sorted(&root).into_iter().filter(|path| path.is_dir());
    let judged = folders.filter(|folder| name(folder) != "recorded");
    judged
        .flat_map(|folder| sorted(&folder).into_iter().map(move |file| (name(&folder), file)))
        .collect()
}

fn read(file: &Path) -> History {
    let bytes = fs::read(file).expect("the file can be read");
    formats::read(bytes.as_slice(), &name(file), None).expect("the history is well formed")
}

/// Whether each level accepts the history; all evidence is certified.
fn accepted(history: &History, levels: &[Level]) -> Vec<bool> {
    let reports = check_levels(history, levels, &Options::default(), &Silent);
    let judged = levels.iter().zip(reports).map(|(level, report)| {
        match certify(history, level, 0, &report.verdict) {
            Ok(Certified::Accept) => true,
            Ok(Certified::Reject) => false,
            other => panic!("{}: {other:?}\n{}", level.name, report.verdict.to_json()),
        }
    });
    judged.collect()
}

/// The levels that accept, without those that a strictly stronger one that accepts implies.
fn strongest<'l>(levels: &'l [Level], accepted: &[bool], lattice: &Lattice) -> Vec<&'l str> {
    let accepting = || levels.iter().zip(accepted).filter(|(_, yes)| **yes).map(|(level, _)| level);
    let strictly = |a: &Level, b: &Level| {
        lattice.implies(&a.name, &b.name) && !lattice.implies(&b.name, &a.name)
    };
    let top = accepting().filter(|level| !accepting().any(|other| strictly(other, level)));
    top.map(|level| level.name.as_str()).collect()
}

#[test]
fn every_folder_is_the_strongest_level_that_accepts() {
    let (levels, lattice) = (Catalog::default().levels(), Lattice::library());
    let mut count = 0;
    for (folder, file) in corpus() {
        let accepted = accepted(&read(&file), &levels);
        let strongest = strongest(&levels, &accepted, lattice);
        let told = format!("{} belongs to one of {strongest:?}", file.display());
        if folder == "none" {
            assert!(strongest.is_empty(), "{told}");
        } else {
            assert!(levels.iter().any(|level| level.name == folder), "{folder} is no full name");
            assert!(strongest.contains(&folder.as_str()), "{told}");
        }
        for (level, &accepts) in levels.iter().zip(&accepted) {
            let weaker = folder != "none" && lattice.implies(&folder, &level.name);
            let stronger = lattice.implies(&level.name, &folder) && !weaker;
            assert!(accepts || !weaker, "{told}, {} rejects", level.name);
            assert!(!accepts || !stronger, "{told}, {} accepts", level.name);
        }
        count += 1;
    }
    assert!(count >= 20, "only {count} histories");
}

#[test]
fn the_oracle_agrees_on_the_corpus() {
    let levels = Catalog::default().levels();
    for (_, file) in corpus() {
        let history = read(&file);
        let judgements = judge_all(&history, &levels, 0);
        for ((level, judgement), accepts) in
            levels.iter().zip(judgements).zip(accepted(&history, &levels))
        {
            let expected = if accepts { Judgement::Accept } else { Judgement::Reject };
            assert_eq!(judgement, expected, "{} at {}", file.display(), level.name);
        }
    }
}
