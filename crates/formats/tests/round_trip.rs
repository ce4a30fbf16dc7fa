//! Print, read, compare: nothing a form can say gets lost.

#![allow(clippy::panic, reason = "helpers of tests")]

use crate::common;

use common::{Generator, parse, print, told};
use tristan_formats::{WriteForm, losses};
use tristan_generate::{Aborted, Shape, Workload, atomic_store};
use tristan_history::{Datum, History, HistoryBuilder, Outcome};

const SEEDS: u64 = 400;

fn check(history: &History, form: WriteForm, seed: u64) {
    let text = print(history, form);
    let again = parse(&text, None).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
    assert_eq!(told(history), told(&again), "seed {seed}, {form:?}:\n{text}");
    assert!(again.warnings.is_empty(), "seed {seed}: {:?}", again.warnings);
    assert_eq!(print(&again, form), text, "seed {seed}: a second print differs");
}

#[test]
fn native_forms_say_everything() {
    for seed in 0..SEEDS {
        let history = Generator::new(seed, false).history();
        assert_eq!(losses(&history, WriteForm::Events), Vec::<String>::new());
        check(&history, WriteForm::Events, seed);
        check(&history, WriteForm::Compact, seed);
    }
}

#[test]
fn simple_says_everything_it_has_words_for() {
    for seed in 0..SEEDS {
        let history = Generator::new(seed, true).history();
        assert_eq!(losses(&history, WriteForm::Simple), Vec::<String>::new(), "seed {seed}");
        check(&history, WriteForm::Compact, seed);
        let text = print(&history, WriteForm::Simple);
        let again = parse(&text, None).expect("what was printed can be read");
        assert_eq!(told(&history), told(&again), "seed {seed}:\n{text}");
    }
}

#[test]
fn simple_prints_what_it_can_and_lists_the_rest() {
    for seed in 0..SEEDS {
        let history = Generator::new(seed, false).history();
        let text = print(&history, WriteForm::Simple);
        let again = parse(&text, None).expect("what was printed can be read");
        assert_eq!(again.txns.len(), history.txns.len());
        let lost = losses(&history, WriteForm::Simple);
        assert!(lost.contains(&"the database".to_owned()), "{lost:?}");
    }
}

#[test]
fn a_generated_workload_survives_every_form() {
    let shape = Shape { txns: 300, keys: 20, sessions: 5, ..Shape::default() };
    let history = atomic_store(&shape);
    for form in [WriteForm::Events, WriteForm::Compact, WriteForm::Simple] {
        check(&history, form, shape.seed);
    }
}

#[test]
fn range_reads_survive_every_form() {
    let workload = Workload {
        txns: 200,
        keys: 40,
        sessions: 5,
        times: true,
        aborted: Aborted::Recorded,
        ..Workload::random_bench()
    };
    // Reading once brings the sessions into the order of the file.
    let history = parse(print(&workload.run(), WriteForm::Compact), None).expect("a good trace");
    for form in [WriteForm::Events, WriteForm::Compact] {
        check(&history, form, workload.seed);
    }
}

#[test]
fn session_order_outlives_a_different_file_order() {
    let text = concat!(
        r#"{"id":"late","s":1,"i":1,"st":"c","ops":[["w","x",2]]}"#,
        "\n",
        r#"{"id":"early","s":1,"i":0,"st":"c","ops":[["w","x",1]]}"#,
        "\n"
    );
    let history = parse(text, None).expect("a good trace");
    check(&history, WriteForm::Events, 0);
    check(&history, WriteForm::Compact, 0);
    check(&history, WriteForm::Simple, 0);
}

#[test]
fn names_stay_unique_when_the_history_repeats_them() {
    let mut builder = HistoryBuilder::default();
    for _ in 0..3 {
        builder.begin("a").put("x", 1).end(Outcome::Committed);
    }
    let history = builder.history_mut();
    history.txns[0].name = Some(Box::new(Datum::Int(2)));
    history.txns[2].name = Some(Box::new(Datum::Int(2)));
    let text = print(&builder.finish(), WriteForm::Compact);
    let again = parse(&text, None).expect("names are unique");
    let names: Vec<String> = again.txn_ids().map(|id| again.label(id)).collect();
    assert_eq!(names, ["T2", "T2-1", "T3"]);
}
