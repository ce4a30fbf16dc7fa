//! Remarks on files that are right but odd.

use tristan_spec::iso::Library;

/// The remarks on a file, without the lines they are about.
fn remarks(text: &str) -> Vec<String> {
    let mut library = Library::default();
    library.add("mine.iso", text).expect(text);
    let warnings = library.lint("mine.iso");
    let first_line = |warning: String| warning.lines().next().unwrap_or_default().to_owned();
    warnings.iter().map(|warning| first_line(warning.to_string())).collect()
}

#[test]
fn a_remark_points_at_its_line() {
    let mut library = Library::default();
    let text = "/// Nothing.\nlevel mine {\n    title \"nothing\"\n    empty none\n}\n";
    library.add("mine.iso", text).expect("it is right");
    let remarks = library.lint("mine.iso");
    let told = "mine.iso:4:5: warning: this holds for every history\n  |\n4 |     empty none\n  |     ^^^^^^^^^^";
    assert_eq!(remarks.iter().map(ToString::to_string).collect::<Vec<_>>(), [told]);
    assert!(library.lint("nobody.iso").is_empty());
}

#[test]
fn levels_should_have_checks_titles_and_doc_lines() {
    assert_eq!(
        remarks("level mine { }"),
        [
            "mine.iso:1:7: warning: level `mine` has no checks, so every history satisfies it",
            "mine.iso:1:7: warning: level `mine` has no doc lines (`/// …`) that say what it means",
            "mine.iso:1:7: warning: level `mine` has no `title`",
        ]
    );
}

#[test]
fn what_is_defined_should_be_used() {
    let text = "\
let unused = so
let used = so
def f(r, s) = r ; used
framework mine {
    witness co : order
    witness vis : relation
    let offered = so
    def offered-too(r) = so
    so in co
}
/// Doc.
level one : mine {
    title \"one\"
    let here = so
    let there = so
    def nowhere() = so
    acyclic f(so, so)
}
/// Doc.
level two : one {
    title \"two\"
    acyclic there
}
";
    assert_eq!(
        remarks(text),
        [
            "mine.iso:1:5: warning: definition `unused` is never used",
            "mine.iso:3:10: warning: parameter `s` is never used",
            "mine.iso:6:13: warning: witness `vis` is never used",
            "mine.iso:8:21: warning: parameter `r` is never used",
            "mine.iso:14:9: warning: definition `here` is never used",
            "mine.iso:16:9: warning: macro `nowhere` is never used",
        ]
    );
    assert!(remarks("let for-others = so\ndef for-others-too(r) = r").is_empty());
}

#[test]
fn checks_that_always_hold_are_found() {
    let odd = |check: &str| {
        let text =
            format!("/// Doc.\nlevel mine : dependency {{ title \"t\" acyclic ww {check} }}");
        remarks(&text).len()
    };
    for check in [
        "empty none",
        "acyclic none+",
        "irreflexive so ; none",
        "empty so & none",
        "none in so",
        "so in so",
        "so in so | wr",
        "so in so?",
        "wr in b",
        "empty so \\ so",
        "empty so \\ (wr | so)",
        "forall x. empty vo[x] & none",
        "(empty none and so in so)",
        "(acyclic so or so in so)",
        "acyclic U x. none",
    ] {
        assert_eq!(odd(check), 1, "{check}");
    }
    for check in [
        "acyclic so",
        "so in wr",
        "empty so",
        "total ww",
        "not empty none",
        "o in ww",
        "none? in ww",
        "acyclic none*",
    ] {
        assert_eq!(odd(check), 0, "{check}");
    }
}

#[test]
fn a_strength_needs_something_that_depends_on_it() {
    let text = "/// Doc.\nlevel mine : dependency { title \"t\" strength strong acyclic so | ww }";
    let told =
        "mine.iso:2:37: warning: level `mine` uses neither `b` nor `o`, so it has no strengths";
    assert_eq!(remarks(text), [told]);
}
