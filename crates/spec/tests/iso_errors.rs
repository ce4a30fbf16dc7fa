//! Every mistake in a level file is told with its place, what is wrong and, where that helps, what
//! was perhaps meant. `errors.txt` holds the files and the exact messages; `UPDATE_EXPECT=1`
//! rewrites the messages.

use tristan_spec::iso::{IsoErrorKind, Library};

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/errors.txt");

/// What the library says about a file with this text.
fn complaint(text: &str) -> String {
    match Library::default().add("mine.iso", text) {
        Ok(()) => "nothing is wrong".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn mistakes_are_told_exactly() {
    let cases = std::fs::read_to_string(CASES).expect("the cases can be read");
    let mut told = String::new();
    for case in cases.split("=== ").filter(|case| !case.is_empty()) {
        let (title, rest) = case.split_once('\n').expect("a case has a title");
        let (text, _) = rest.split_once("--- ").expect("a case has a message");
        let text = text.strip_suffix('\n').unwrap_or(text);
        told += &format!("=== {title}\n{text}\n--- is told\n{}\n\n", complaint(text).trim_end());
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(CASES, &told).expect("the cases can be written");
        return;
    }
    assert!(told == cases, "errors.txt is stale; UPDATE_EXPECT=1 rewrites it:\n{told}");
}

#[test]
fn a_file_that_is_no_text_is_told_by_its_byte() {
    let error = Library::default().add_bytes("mine.iso", b"level a {\n  \xff }");
    let error = error.expect_err("it is not UTF-8");
    assert_eq!(*error.kind, IsoErrorKind::Utf8 { offset: 12 });
    let told = "mine.iso:2:3: byte 12 is not UTF-8\n  |\n2 |   \u{fffd} }\n  |   ^";
    assert_eq!(error.to_string(), told);
}

#[test]
fn nesting_has_a_limit_in_every_construct() {
    let nested =
        |open: &str, close: &str| format!("let a = {}so{}", open.repeat(201), close.repeat(201));
    let checks = |open: &str, close: &str| {
        format!("level a {{ {}so in so{} }}", open.repeat(201), close.repeat(201))
    };
    for text in [
        nested("(", ")"),
        nested("[", "]"),
        nested("", "?"),
        nested("", "^-1"),
        nested("", " \\ so"),
        nested("step(", ")"),
        nested("U x. ", ""),
        nested("(so * ", ")"),
        checks("(", ")"),
        checks("not ", ""),
        checks("forall x. ", ""),
        checks("(so in so and ", ")"),
    ] {
        let error = Library::default().add("mine.iso", &text).expect_err(&text);
        assert_eq!(*error.kind, IsoErrorKind::TooDeep(200), "{text}");
    }
}

/// However deep and however many: a mistake, never a crash.
#[test]
fn a_hundred_thousand_brackets_do_no_harm() {
    for sign in ["(", "[", "{", "f(", "not ", "forall x. ", "U x. ", "so ; ", "so \\ ", "(so * "] {
        for start in ["let a = ", "def f() = ", "level a { ", "level a { acyclic "] {
            let text = format!("{start}{}", sign.repeat(100_000));
            assert!(Library::default().add("mine.iso", &text).is_err());
        }
    }
}

#[test]
fn definitions_that_grow_too_large_are_refused() {
    let lines = |count: usize, line: &dyn Fn(usize) -> String| {
        (1..count).map(line).fold("let a0 = so ; so\n".to_owned(), |text, line| text + &line)
    };
    let doubling = lines(40, &|i| format!("let a{i} = a{} ; a{}\n", i - 1, i - 1));
    let doubling_macros = format!(
        "def f0(r) = r ; r\n{}level a {{ empty f39(so) }}",
        (1..40)
            .map(|i| format!("def f{i}(r) = f{}(r) ; f{}(r)\n", i - 1, i - 1))
            .collect::<String>()
    );
    for text in [doubling, doubling_macros] {
        let error = Library::default().add("mine.iso", &text).expect_err("a bomb");
        assert_eq!(*error.kind, IsoErrorKind::TooLarge(5_000));
    }
    let chain = lines(300, &|i| format!("let a{i} = a{}?\n", i - 1));
    let calls = |i: usize| format!("def f{i}(r) = f{}(r)\n", i - 1);
    let upwards: String = (1..300).map(calls).collect();
    let downwards: String = (1..300).rev().map(calls).collect();
    let used = format!("def f0(r) = r\n{upwards}level a {{ empty f299(so) }}");
    let unused = format!("{downwards}def f0(r) = r\n");
    let levels = format!(
        "level l0 {{}}\n{}",
        (1..300).map(|i| format!("level l{i} : l{} {{}}\n", i - 1)).collect::<String>()
    );
    for text in [chain, used, unused, levels] {
        let error = Library::default().add("mine.iso", &text).expect_err("too deep");
        assert!(matches!(*error.kind, IsoErrorKind::TooDeep(200) | IsoErrorKind::TooLarge(5_000)));
    }
    let many = lines(3_000, &|i| format!("let a{i} = so | wr\n"));
    Library::default().add("mine.iso", &many).expect("many small definitions are no problem");
}

#[test]
fn a_file_with_a_mistake_adds_nothing() {
    let mut library = Library::default();
    let before: Vec<String> = library.names().collect();
    library
        .add("mine.iso", "level mine { acyclic so }\nlevel yours { acyclic nobody }")
        .expect_err("no");
    assert_eq!(library.names().collect::<Vec<_>>(), before);
    library.add("mine.iso", "level mine { acyclic so }").expect("the name is still free");
    assert_eq!(library.find("MINE").expect("just added").name, "mine");
}
