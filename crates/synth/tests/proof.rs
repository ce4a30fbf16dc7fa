//! Implications between levels that hold for histories of any size are proved, others are not.

use tristan_spec::iso::{IsoLevel, Library};
use tristan_synth::gates::SearchBudget;
use tristan_synth::proof::{Proof, prove};
use tristan_synth::{AbstractHistory, keeps};

fn level(name: &str) -> IsoLevel {
    Library::standard().find(name).expect(name)
}

fn proof(stronger: &str, weaker: &str) -> Option<Proof> {
    prove(&level(stronger), &level(weaker))
}

fn is_proved(stronger: &str, weaker: &str) -> bool {
    proof(stronger, weaker).is_some()
}

/// The benchmark problems of Isolde that have no solution: (allowed by, but not by).
const UNSATISFIABLE: [(&str, &str); 21] = [
    ("be-cc", "be-ra"),
    ("cerone-cc", "cerone-ra"),
    ("be-pc", "be-cc"),
    ("cerone-pc", "cerone-cc"),
    ("be-si", "be-pc"),
    ("cerone-si", "cerone-pc"),
    ("be-ser", "be-si"),
    ("cerone-ser", "cerone-si"),
    ("be-ra", "tap-ra"),
    ("be-cc", "tap-cc"),
    ("tap-cc", "be-cc"),
    ("be-ra", "cerone-ra"),
    ("cerone-ra", "be-ra"),
    ("be-cc", "cerone-cc"),
    ("cerone-cc", "be-cc"),
    ("be-pc", "cerone-pc"),
    ("cerone-pc", "be-pc"),
    ("be-si", "cerone-si"),
    ("cerone-si", "be-si"),
    ("be-ser", "cerone-ser"),
    ("cerone-ser", "be-ser"),
];

#[test]
fn problems_without_solution_are_proved() {
    for (stronger, weaker) in UNSATISFIABLE {
        assert!(is_proved(stronger, weaker), "{stronger} => {weaker}");
    }
}

/// Which level of the row implies which level of the column, in the order of the rows.
const MATRIX: [(&str, &str); 10] = [
    ("no-circular-reads", "x........."),
    ("be-ra", "xx........"),
    ("cerone-nlu", "xxx......."),
    ("cerone-ua", "xxxx......"),
    ("be-cc", "xx..x....."),
    ("cerone-psi", "xxxxxx...."),
    ("be-pc", "xx..x.x..."),
    ("be-si", "xxxxxxxx.."),
    ("be-update-ser", "x.......x."),
    ("be-ser", "xxxxxxxxxx"),
];

#[test]
fn exactly_the_implications_between_ten_levels_are_proved() {
    for (stronger, row) in MATRIX {
        let proved = |(weaker, _): &(&str, &str)| is_proved(stronger, weaker);
        let found: String =
            MATRIX.iter().map(|column| if proved(column) { 'x' } else { '.' }).collect();
        assert_eq!(found, row, "{stronger}");
    }
}

#[test]
fn the_forms_of_a_level_are_the_same() {
    let forms: [&[&str]; 10] = [
        &["be-ra", "cerone-ra", "read-atomic", "vv-pram"],
        &["cerone-ua", "update-atomic"],
        &["be-cc", "cerone-cc", "tap-cc", "causal"],
        &["cerone-psi", "parallel-si", "strong-session-consistent-view"],
        &["be-pc", "cerone-pc", "prefix"],
        &["be-si", "cerone-si", "strong-session-snapshot-isolation"],
        &["be-ser", "cerone-ser", "strong-session-serializable"],
        &["plain-be-ra", "plain-cerone-ra", "plain-read-atomic", "crooks-ra"],
        &["plain-be-si", "plain-cerone-si", "snapshot-isolation", "crooks-si"],
        &["strong-be-ser", "strong-cerone-ser", "strong-serializable", "crooks-sser"],
    ];
    for group in forms {
        for (stronger, weaker) in group.iter().flat_map(|a| group.iter().map(move |b| (a, b))) {
            assert!(is_proved(stronger, weaker), "{stronger} => {weaker}");
        }
    }
}

#[test]
fn stronger_strengths_imply_weaker_ones() {
    for name in ["serializable", "snapshot-isolation", "prefix", "causal", "be-si", "cerone-psi"] {
        let (plain, session, strong) =
            (format!("plain-{name}"), format!("strong-session-{name}"), format!("strong-{name}"));
        assert!(is_proved(&strong, &session) && is_proved(&session, &plain), "{name}");
        assert!(!is_proved(&plain, &session) && !is_proved(&session, &strong), "{name}");
    }
}

#[test]
fn implications_with_closures_and_sessions_are_proved() {
    for (stronger, weaker) in [
        ("strong-serializable", "strong-snapshot-isolation"),
        ("strong-snapshot-isolation", "strong-session-snapshot-isolation"),
        ("generalized-snapshot-isolation", "snapshot-isolation"),
        ("crooks-strong-si", "crooks-session-si"),
        ("crooks-session-si", "crooks-ansi-si"),
        ("crooks-psi", "crooks-ra"),
        ("serializable", "update-serializable"),
        ("update-serializable", "consistent-view"),
        ("consistent-view", "cursor-stability"),
        ("read-atomic", "monotonic-atomic-view"),
        ("read-atomic", "read-your-writes"),
        ("causal", "monotonic-reads"),
        ("causal", "monotonic-writes"),
        ("causal", "writes-follow-reads"),
        ("monotonic-writes", "strong-session-read-uncommitted"),
        ("writes-follow-reads", "no-circular-reads"),
        ("cerone-update-ser", "be-update-ser"),
    ] {
        assert!(is_proved(stronger, weaker), "{stronger} => {weaker}");
    }
}

#[test]
fn what_is_false_is_not_proved() {
    for (stronger, weaker) in [
        ("tap-ra", "be-ra"),
        ("be-update-ser", "cerone-update-ser"),
        ("update-serializable", "snapshot-isolation"),
        ("snapshot-isolation", "update-serializable"),
        ("read-uncommitted", "read-committed"),
        ("crooks-si", "crooks-ansi-si"),
        ("monotonic-reads", "causal"),
        ("no-lost-update", "cerone-nlu"),
        ("monotonic-atomic-view", "read-atomic"),
    ] {
        assert!(!is_proved(stronger, weaker), "{stronger} => {weaker}");
    }
}

#[test]
fn a_level_that_allows_dirty_reads_implies_none_that_does_not() {
    let dirty = level("read-uncommitted");
    let mut clean = dirty.clone();
    clean.reads = level("read-committed").reads;
    assert!(prove(&dirty, &clean).is_none());
    assert!(prove(&clean, &dirty).is_some());
}

#[test]
fn no_level_is_taken_for_impossible() {
    let impossible = own("level impossible { not empty none }", "impossible");
    for definition in Library::standard().definitions() {
        for level in definition.levels() {
            assert!(prove(level, &impossible).is_none(), "{}", level.name);
            assert!(prove(&impossible, level).is_some(), "{}", level.name);
        }
    }
}

fn own(text: &str, name: &str) -> IsoLevel {
    let mut library = Library::standard().clone();
    library.add("own.iso", text).expect(text);
    library.find(name).expect(name)
}

/// The first level of a file against the second, and the other way round.
fn both(text: &str) -> (bool, bool) {
    let (a, b) = (own(text, "a"), own(text, "b"));
    (prove(&a, &b).is_some(), prove(&b, &a).is_some())
}

#[test]
fn an_order_exists_where_there_is_no_cycle() {
    let text = "level a { acyclic so | wr }
                level b { witness co : order  so | wr in co }";
    assert_eq!(both(text), (true, true));
    let per_key = "level a : dependency { forall x. acyclic vo[x] | wr[x] }
                   level b : dependency { forall x. wr[x] ; [W[x]] in vo[x] }";
    assert!(both(per_key).0);
}

#[test]
fn having_no_loop_is_not_having_no_cycle() {
    let text = "level a { irreflexive (so | wr) ; (so | wr) }
                level b { acyclic so | wr }";
    assert_eq!(both(text), (false, true));
}

#[test]
fn orders_into_the_initial_transaction_do_not_begin_with_it() {
    let text = "level a { acyclic (W * Init) \\ id }
                level b { witness co : order  (W * Init) \\ id in co }";
    assert_eq!(both(text), (false, true));
}

#[test]
fn what_must_exist_is_compared_by_name() {
    let text = "level a { witness co : order  so in co  co in so | (wr ; co) }
                level b { witness p : order  p in (U x. wr[x]) ; p | so }";
    assert_eq!(both(text), (true, false));
}

#[test]
fn differences_are_read_the_right_way_round() {
    let text = "level a { empty wr \\ (so ; so) }
                level b { empty wr \\ so }";
    assert_eq!(both(text), (true, false));
}

#[test]
fn alternatives_and_negations_are_understood() {
    let text = "level a { ((acyclic wr or empty so) and not empty wr) }
                level b { not (not acyclic wr and not empty so) }";
    assert_eq!(both(text), (true, false));
    let keys = "level a { not forall x. empty wr[x] }
                level b { not empty wr }";
    assert_eq!(both(keys), (true, true));
}

#[test]
fn a_level_implies_itself_however_it_is_written() {
    let twice = "level a : dependency { acyclic b | ww | rw }
                 level b : dependency { not not acyclic b | ww | rw }";
    assert_eq!(both(twice), (true, true));
    let or = "level a : dependency { acyclic (b | ww) ; rw? }
              level b : dependency { (empty rw or acyclic (b | ww) ; rw?) }";
    assert!(both(or).0);
    let and = "level a : dependency { (acyclic b | ww and irreflexive b ; rw) }
               level b : dependency { not (not acyclic b | ww or not irreflexive b ; rw) }";
    assert_eq!(both(and), (true, true));
}

#[test]
fn seeing_one_s_past_is_read_atomic_and_implies_one_guarantee_only() {
    assert!(is_proved("vv-pram", "read-atomic") && is_proved("read-atomic", "vv-pram"));
    assert!(is_proved("vv-pram", "vv-ryw"));
    for other in ["vv-mr", "vv-mw", "vv-wfr"] {
        assert!(!is_proved("vv-pram", other), "{other}");
    }
}

#[test]
fn the_initial_transaction_writes_even_if_the_history_names_no_key() {
    let text = "level a { so in so }
                level b { [Init] in [W] }
                level c { [Init] in (U x. [W[x]]) }";
    let history: AbstractHistory = "- > - | -".parse().expect("three empty transactions");
    for name in ["a", "b", "c"] {
        let kept = keeps(&own(text, name), &history, &SearchBudget::default());
        assert_eq!(kept.ok(), Some(true), "{name}");
    }
    assert!(prove(&own(text, "a"), &own(text, "b")).is_some());
}

#[test]
fn proofs_tell_what_they_rest_on() {
    let lines = |stronger, weaker| proof(stronger, weaker).expect("proved above").lines();
    assert_eq!(
        lines("be-pc", "cerone-pc"),
        [
            "5 obligations, the largest with 4 transactions and 2 keys",
            "ar := co",
            "vis := co? ; (wr | so)"
        ]
    );
    assert_eq!(
        lines("strong-session-snapshot-isolation", "causal"),
        [
            "4 obligations, the largest with 4 transactions and 2 keys",
            "vo[x] := vo[x]",
            "order is a total order that contains (b | ww) ; rw?",
            "(wr | so | (U x. vo[x]))+ in order",
            "(wr | so)+ in order"
        ]
    );
    assert_eq!(
        lines("crooks-ansi-si", "monotonic-writes"),
        [
            "3 obligations, the largest with 4 transactions and 2 keys",
            "it requires that all begin and commit times are known",
            "vo[x] := [W[x]] ; e ; [W[x]]",
            "([W] ; so ; [W] | wr | (U x. [W[x]] ; e ; [W[x]]))+ in e"
        ]
    );
}
