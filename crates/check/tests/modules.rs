//! Modules and levels of a user's own: the examples, what they mean, and what goes wrong.

#![allow(clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

use tristan_certify::{Certified, certify};
use tristan_check::asg::Asg;
use tristan_check::ir::{Edge, Ir, Reason, Source, Unit};
use tristan_check::{Module, ModuleError, Options, Silent, check, check_with};
use tristan_generate::Rng;
use tristan_history::{History, HistoryBuilder, Outcome, TxnId};
use tristan_oracle::random;
use tristan_spec::{Catalog, Level, Rel, Strength};
use tristan_verdict::{Answer, Verdict};

#[path = "../examples/own_level.rs"]
#[allow(dead_code, reason = "the main function is for the example")]
mod own_level;
#[path = "../examples/session_order.rs"]
#[allow(dead_code, reason = "the main function is for the example")]
mod session_order;

use session_order::SessionOrder;

const SEED: u64 = 31;

fn level(name: &str) -> Level {
    Catalog::default().find(name).expect(name)
}

fn accepts(verdict: &Verdict) -> bool {
    match verdict.answer {
        Answer::Accept { .. } => true,
        Answer::Reject { .. } => false,
        Answer::Unknown { .. } => panic!("small histories are decided: {}", verdict.to_json()),
    }
}

fn random_histories(count: u64) -> impl Iterator<Item = History> {
    println!("seed {SEED}, {count} histories");
    (0..count).map(|number| random::history(&mut Rng::new(SEED + number), Default::default()))
}

#[test]
fn the_session_order_example_rejects_what_the_plain_level_accepts() {
    let [plain, with] = session_order::run();
    assert!(accepts(&plain));
    assert!(!accepts(&with));
    assert_eq!(with.level, "serializable + session-order");
    assert_eq!(with.definition, level("strong-session-serializable").formula.to_string());
    let listed = with.assumptions.iter().map(|assumption| assumption.what.as_str());
    let expected = "module session-order: a session's transactions take effect in order";
    assert!(listed.into_iter().any(|what| what == expected), "{}", with.to_json());
}

#[test]
fn the_own_level_example_judges_both_histories() {
    let [stale, late] = own_level::run().expect("its formula is one");
    assert!(!accepts(&stale));
    assert!(accepts(&late));
    assert_eq!(stale.definition, "acyclic(so | wr | ww), irreflexive(so ; rw)");
}

/// For every family with sessions, the module makes of the plain form what the library calls
/// the strong-session form.
#[test]
fn the_session_order_module_is_session_order() {
    let levels: Vec<(Level, Level)> = Catalog::default()
        .families()
        .iter()
        .filter(|family| family.natural.is_some())
        .map(|family| {
            let at = |strength| family.level(strength).expect("a formula");
            (at(Strength::Plain), at(Strength::Session))
        })
        .collect();
    let options = Options::default();
    for history in random_histories(3_000) {
        for (plain, session) in &levels {
            let module = SessionOrder { formula: plain.with_sessions.clone().expect("plain") };
            let with = check_with(&history, plain, &[&module], &options, &Silent);
            let with = with.expect("the module keeps the invariants").verdict;
            let without = check(&history, session, &options, &Silent).verdict;
            assert_eq!(accepts(&with), accepts(&without), "{}", with.to_json());
            let named = Level { name: with.level.clone(), ..session.clone() };
            let certified = certify(&history, &named, 0, &with);
            assert!(certified.is_ok(), "{certified:?}\n{}", with.to_json());
        }
    }
}

#[test]
fn verdicts_at_an_invented_level_are_certified_and_fit_the_lattice() {
    let mut catalog = Catalog::default();
    catalog.add(own_level::family()).expect("a formula");
    let names = ["read-atomic", "my-session-reads", "strong-session-read-committed"];
    let levels = names.map(|name| catalog.find(name).expect(name));
    let mut split = [0; 4];
    for history in random_histories(3_000) {
        let accepted = levels.each_ref().map(|level| {
            let verdict = check(&history, level, &Options::default(), &Silent).verdict;
            let certified = certify(&history, level, 0, &verdict);
            assert!(certified.is_ok(), "{certified:?}\n{}", verdict.to_json());
            accepts(&verdict)
        });
        assert!(accepted.is_sorted(), "{names:?}: {accepted:?}");
        split[accepted.iter().filter(|&&accepted| accepted).count()] += 1;
    }
    assert!(split.iter().all(|&count| count > 10), "{split:?}");
}

/// A module made of a function.
struct Edit<F>(&'static str, F);

impl<F: Fn(&Asg<'_>, &mut Ir)> Module for Edit<F> {
    fn name(&self) -> &str {
        self.0
    }

    fn edit(&self, asg: &Asg<'_>, ir: &mut Ir) {
        (self.1)(asg, ir);
    }
}

fn edge(from: u32, to: u32, rel: Rel) -> Edge {
    Edge { from: Unit(from), to: Unit(to), rel, reason: Reason::Module("test".to_owned()) }
}

/// Two writers of one value, and a reader of it.
fn duplicate() -> History {
    let mut builder = HistoryBuilder::default();
    builder.history_mut().header.assumptions.push("first-writer".to_owned());
    builder.begin("a").put("x", 1).end(Outcome::Committed);
    builder.begin("b").put("x", 1).end(Outcome::Committed);
    builder.begin("c").get("x", Some(1)).end(Outcome::Committed);
    builder.finish()
}

fn with(module: &dyn Module) -> Result<Verdict, ModuleError> {
    let options = Options::default();
    check_with(&duplicate(), &level("serializable"), &[module], &options, &Silent)
        .map(|report| report.verdict)
}

#[test]
fn a_module_that_breaks_an_invariant_is_named_in_an_error() {
    let told = |module: &dyn Module| with(module).expect_err("it breaks something").to_string();
    let to_itself = Edit("loop", |_: &Asg<'_>, ir: &mut Ir| ir.edges.push(edge(0, 0, Rel::Ww)));
    assert_eq!(told(&to_itself), "module 'loop' breaks the IR: edge 0 leads from a unit to itself");
    let nowhere = Edit("nowhere", |_: &Asg<'_>, ir: &mut Ir| ir.edges.push(edge(0, 9, Rel::Ww)));
    assert!(matches!(with(&nowhere), Err(ModuleError::Broken { .. })));
    let no_writer = Edit("own", |_: &Asg<'_>, ir: &mut Ir| {
        ir.reads[0].sources = [Source::Unit(Unit(2))].into_iter().collect();
    });
    assert!(matches!(with(&no_writer), Err(ModuleError::Broken { .. })));
    let no_txn = Edit("ghost", |_: &Asg<'_>, ir: &mut Ir| ir.units[0].txn = TxnId(7));
    assert_eq!(told(&no_txn), "module 'ghost' adds transaction 7, which is not in the trace");
    let no_op = Edit("ghost", |_: &Asg<'_>, ir: &mut Ir| ir.reads[0].op = 4);
    assert!(matches!(with(&no_op), Err(ModuleError::Stray { .. })));
}

#[test]
fn an_edge_that_would_count_for_nothing_is_an_error() {
    let derived = Edit("reads", |_: &Asg<'_>, ir: &mut Ir| ir.edges.push(edge(0, 1, Rel::Wr)));
    assert!(matches!(with(&derived), Err(ModuleError::Derived { relation: "wr", .. })));
    let ignored = Edit("sessions", |_: &Asg<'_>, ir: &mut Ir| ir.edges.push(edge(0, 1, Rel::So)));
    let error = with(&ignored).expect_err("the plain level knows no sessions");
    let expected = "module 'sessions' adds an edge of 'so', which acyclic(wr | ww | rw) does not \
                    mention";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn the_first_module_at_fault_is_blamed_and_the_ones_after_it_do_not_run() {
    let good = Edit("good", |_: &Asg<'_>, _: &mut Ir| {});
    let bad = Edit("bad", |_: &Asg<'_>, ir: &mut Ir| ir.edges.push(edge(0, 0, Rel::Ww)));
    let never = Edit("never", |_: &Asg<'_>, _: &mut Ir| panic!("the IR is broken already"));
    let modules: [&dyn Module; 3] = [&good, &bad, &never];
    let options = Options::default();
    let result = check_with(&duplicate(), &level("serializable"), &modules, &options, &Silent);
    assert!(result.expect_err("bad is bad").to_string().contains("'bad'"));
}

#[test]
fn no_modules_is_a_plain_check() {
    let (options, level) = (Options::default(), level("snapshot-isolation"));
    for history in random_histories(200) {
        let with = check_with(&history, &level, &[], &options, &Silent).expect("nothing to break");
        assert_eq!(with.verdict, check(&history, &level, &options, &Silent).verdict);
    }
}

#[test]
fn a_module_may_follow_a_hint_of_the_header_and_its_accept_is_certified() {
    let first_writer = Edit("first-writer", |asg: &Asg<'_>, ir: &mut Ir| {
        if asg.history.header.assumptions.iter().any(|hint| hint == "first-writer") {
            ir.reads.iter_mut().for_each(|read| read.sources.truncate(1));
        }
    });
    let verdict = with(&first_writer).expect("the IR stays one");
    let Answer::Accept { witness } = &verdict.answer else { panic!("{}", verdict.to_json()) };
    assert_eq!(witness.sources.len(), 1, "the choice is not in the trace, so the witness has it");
    let named = Level { name: verdict.level.clone(), ..level("serializable") };
    assert_eq!(certify(&duplicate(), &named, 0, &verdict), Ok(Certified::Accept));
}

#[test]
fn a_version_order_from_a_module_counts_as_one() {
    let reversed = Edit("commit-log", |_: &Asg<'_>, ir: &mut Ir| {
        ir.edges.push(edge(1, 0, Rel::Ww));
        ir.reads[0].sources = [Source::Unit(Unit(1))].into_iter().collect();
        ir.edges.push(edge(0, 2, Rel::Ww));
    });
    let verdict = with(&reversed).expect("a valid IR");
    assert!(!accepts(&verdict), "the reader comes too late");
    let named = Level { name: verdict.level.clone(), ..level("serializable") };
    let certified = certify(&duplicate(), &named, 0, &verdict);
    assert!(certified.is_err(), "the trace alone does not show what the module claims");
}

#[test]
fn the_page_on_extending_shows_the_examples_as_they_are() {
    let root = env!("CARGO_MANIFEST_DIR");
    let page = std::fs::read_to_string(format!("{root}/../../docs/extending.md")).expect("a page");
    for name in ["session_order", "own_level"] {
        let code = std::fs::read_to_string(format!("{root}/examples/{name}.rs")).expect("a file");
        assert!(code.lines().count() < 60, "{name} is too long for an example");
        assert!(page.contains(&format!("```rust\n{code}```\n")), "{name} differs from the page");
    }
}
