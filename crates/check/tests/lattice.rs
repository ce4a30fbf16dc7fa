//! What the lattice of levels promises holds for the engine's verdicts, and the page that lists
//! the levels is what the catalog says.

#![allow(clippy::panic, reason = "helpers of tests")]

use std::fmt::Write;

use tristan_certify::{Certified, certify};
use tristan_check::{Options, Silent, check_levels};
use tristan_history::generate::Rng;
use tristan_history::{History, formats};
use tristan_oracle::random;
use tristan_spec::lattice::Lattice;
use tristan_spec::{Catalog, Level};

const SEED: u64 = 7_000_001;

/// How many histories: `TRISTAN_HISTORIES`, by default enough for a quick look.
fn histories() -> u64 {
    std::env::var("TRISTAN_HISTORIES").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000)
}

fn accepted(history: &History, levels: &[Level]) -> Vec<bool> {
    let reports = check_levels(history, levels, &Options::default(), &Silent);
    let judged = levels.iter().zip(reports).map(|(level, report)| {
        match certify(history, level, 0, &report.verdict) {
            Ok(Certified::Accept) => true,
            Ok(Certified::Reject) => false,
            other => {
                let (name, json) = (&level.name, report.verdict.to_json());
                panic!("{name}: {other:?}\n{}\n{json}", show(history))
            }
        }
    });
    judged.collect()
}

fn show(history: &History) -> String {
    let mut text = Vec::new();
    formats::write(history, formats::WriteForm::Simple, &mut text).expect("memory does not fail");
    format!("{:?}\n{}", history.header, String::from_utf8_lossy(&text))
}

#[test]
fn every_implication_holds_on_random_histories() {
    let levels = Catalog::default().levels();
    let place = |name: &str| levels.iter().position(|level| level.name == name).expect(name);
    let lattice = Lattice::library();
    let pairs: Vec<(usize, usize)> = lattice.pairs().map(|(a, b)| (place(a), place(b))).collect();
    let mut tested = vec![0u64; pairs.len()];
    println!("seed {SEED}, {} histories, {} implications", histories(), pairs.len());
    for number in 0..histories() {
        let history = random::history(&mut Rng::new(SEED + number), Default::default());
        let accepted = accepted(&history, &levels);
        for (&(stronger, weaker), tested) in pairs.iter().zip(&mut tested) {
            *tested += u64::from(accepted[stronger]);
            assert!(
                accepted[weaker] || !accepted[stronger],
                "seed {SEED} history {number}: {} accepts and {} rejects\n{}",
                levels[stronger].name,
                levels[weaker].name,
                show(&history)
            );
        }
    }
    assert!(tested.iter().all(|&count| count > 0), "every implication was put to the test");
}

/// `docs/levels.md`, as the catalog has it.
fn page() -> String {
    let mut page = "# The levels\n\n\
        Every isolation level of the library: a formula over the dependencies of a trace, which \
        [How a trace\nis read](semantics.md) defines. A history is accepted if some choice of \
        read sources and version\norders makes the formula true. Names may be written in any \
        case; an unknown name answers with the\nnearest known ones. A level of your own takes a \
        few lines: see [Adding a level or a\nmodule](extending.md).\n\n\
        Where a formula mentions `b` or `o`, the level exists in three strengths, and `plain-`,\n\
        `strong-session-` or `strong-` before the name (or before an alias) chooses one:\n\n\
        | strength | `o` | `b` |\n|---|---|---|\n\
        | plain | nothing | `wr` |\n\
        | strong-session | `so` | `wr \\| so` |\n\
        | strong | `so \\| rt` | `wr \\| so \\| rt` |\n\n\
        The column *alone* says which of them the bare name means. Read uncommitted is the only \
        level that\nlets a read return a version that was never committed.\n\n\
        | level | alone | also called | meaning | formula |\n|---|---|---|---|---|\n"
        .to_owned();
    for family in Catalog::default().families() {
        let alone = family.natural.map_or("one form".to_owned(), |natural| {
            natural.prefix().trim_end_matches('-').to_owned()
        });
        let aliases: Vec<String> = family.aliases.iter().map(|name| format!("`{name}`")).collect();
        let formula = family.formula.replace('|', "\\|");
        let (name, title, aliases) = (&family.name, &family.title, aliases.join(", "));
        writeln!(page, "| `{name}` | {alone} | {aliases} | {title} | `{formula}` |")
            .expect("memory does not fail");
    }
    page += "\nSome names stand for one of them at one strength:\n\n| name | level |\n|---|---|\n";
    for name in ["strict-serializable", "sser", "pl-ss", "prefix-consistent-si", "pc-si"] {
        let level = Catalog::default().find(name).expect(name);
        writeln!(page, "| `{name}` | `{}` |", level.name).expect("memory does not fail");
    }
    let catalog = Catalog::default();
    let mixed = catalog.family("mixed").expect("it is found by name");
    let (name, formula) = (&mixed.name, &mixed.formula);
    writeln!(
        page,
        "\n## Mixed levels\n\nIf every transaction of a trace says what it was promised, `{name}` \
         judges each by that:\n\n```text\n{formula}\n```\n\n[How a trace is \
         read](semantics.md#mixed-levels) explains it. It exists in the three strengths, plain by\n\
         itself, and is not part of `tristan levels`.",
    )
    .expect("memory does not fail");
    page
}

#[test]
fn the_page_of_levels_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/levels.md");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, page()).expect("the page can be written");
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert!(found == page(), "docs/levels.md is stale; UPDATE_EXPECT=1 rewrites it");
}
