//! Ranges where the order of keys ignores case: bounds do, too, and keys that differ in case only may
//! come in either order.

use tristan_check::{Options, Silent, check, check_levels};
use tristan_formats as formats;
use tristan_history::History;
use tristan_spec::{Catalog, Level};
use tristan_verdict::{Answer, BadKind};

fn read(initial: &str, lines: &[&str]) -> History {
    let header = r#"{"tristan":"trace/1","order":"ignore-case","initial":{"keys":"#;
    let commit = r#"{"s":1,"t":"A","op":"commit"}"#;
    let text = format!("{header}{initial}}}}}\n{}\n{commit}\n", lines.join("\n"));
    formats::read(text.as_bytes(), "t", None).expect("a good trace")
}

fn serializable(history: &History) -> Answer {
    let level = Catalog::default().find("serializable").expect("a level");
    check(history, &level, &Options::default(), &Silent).verdict.answer
}

fn bad(answer: &Answer) -> Option<BadKind> {
    match answer {
        Answer::Reject { refutation, .. } => refutation.bad.as_ref().map(|bad| bad.kind),
        _ => None,
    }
}

fn accepted(history: &History) -> bool {
    matches!(serializable(history), Answer::Accept { .. })
}

#[test]
fn bounds_ignore_case() {
    let levels: Vec<Level> =
        Catalog::default().levels().into_iter().filter(|level| !level.asks_promises()).collect();
    for (lo, hi) in [("c", "d"), ("C", "D"), ("c", "D")] {
        let scan = format!(
            r#"{{"s":1,"t":"A","op":"scan","lo":"{lo}","hi":"{hi}","items":[["C",2],["c",3]]}}"#
        );
        let history = read(r#"[["C",2],["c",3],["D",4],["d",5]]"#, &[&scan]);
        for report in check_levels(&history, &levels, &Options::default(), &Silent) {
            let accepted = matches!(report.verdict.answer, Answer::Accept { .. });
            assert!(accepted, "{}", report.verdict.to_json());
        }
    }
}

#[test]
fn a_key_within_the_bounds_must_be_returned_and_no_other() {
    let missing = r#"{"s":1,"t":"A","op":"scan","lo":"c","hi":"d","items":[]}"#;
    assert_eq!(bad(&serializable(&read(r#"[["C",2]]"#, &[missing]))), Some(BadKind::ThinAir));
    let outside = r#"{"s":1,"t":"A","op":"scan","lo":"c","hi":"D","items":[["d",2]]}"#;
    let outside = serializable(&read(r#"[["d",2]]"#, &[outside]));
    assert_eq!(bad(&outside), Some(BadKind::OutsideRange));
}

#[test]
fn keys_that_differ_in_case_come_in_either_order() {
    let initial = r#"[["a",1],["C",2],["c",3],["e",4]]"#;
    let iterate = |items: &str, reverse: bool| {
        let line = format!(
            r#"{{"s":1,"t":"A","op":"iter","reverse":{reverse},"items":{items},"end":true}}"#
        );
        read(initial, &[&line])
    };
    assert!(accepted(&iterate(r#"[["a",1],["C",2],["c",3],["e",4]]"#, false)));
    assert!(accepted(&iterate(r#"[["a",1],["c",3],["C",2],["e",4]]"#, false)));
    assert!(accepted(&iterate(r#"[["e",4],["c",3],["C",2],["a",1]]"#, true)));
    assert!(accepted(&iterate(r#"[["e",4],["C",2],["c",3],["a",1]]"#, true)));
    let turned = serializable(&iterate(r#"[["c",3],["a",1],["C",2],["e",4]]"#, false));
    assert_eq!(bad(&turned), Some(BadKind::OutOfOrder));
}

#[test]
fn an_iterator_has_not_come_past_keys_beside_its_last() {
    let initial = r#"[["a",1],["C",2],["c",3],["e",4]]"#;
    for (items, reverse) in [(r#"[["a",1],["C",2]]"#, false), (r#"[["e",4],["c",3]]"#, true)] {
        let line = format!(
            r#"{{"s":1,"t":"A","op":"iter","reverse":{reverse},"items":{items},"end":false}}"#
        );
        assert!(accepted(&read(initial, &[&line])), "{items}");
    }
    let missed = r#"{"s":1,"t":"A","op":"iter","items":[["a",1],["C",2],["e",4]],"end":false}"#;
    assert!(!accepted(&read(initial, &[missed])));
}
