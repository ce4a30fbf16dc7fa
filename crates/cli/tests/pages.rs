//! `-o html` of the commands about levels: what was found is on the page, and nothing from elsewhere.

use crate::common;

use std::fs;

use common::{folder, run, text};

/// The page that a command writes.
fn page(name: &str, args: &[&str]) -> String {
    let file = folder(&format!("pages-{name}")).join("page.html");
    let sink = format!("html={}", text(&file));
    let run = run(&[args, &["-o", &sink]].concat());
    assert_eq!(run.code, 0, "{run:?}");
    assert!(!run.out.contains("<html"), "the text is on standard output: {run:?}");
    let page = fs::read_to_string(file).expect("a page");
    assert!(page.starts_with("<!doctype html>") && page.contains("default-src 'none'"), "{page}");
    page
}

#[test]
fn a_comparison_draws_the_history_that_says_no() {
    let page = page("compare", &["compare", "si", "ser"]);
    for words in [
        "snapshot-isolation is weaker than serializable.",
        "REFUTED",
        "PROVED",
        "read x, initial",
        "write y",
        "data-step=\"1\"",
        "data-step=\"2\"",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert_eq!(page.matches("<g class=\"card\"").count(), 2, "{page}");
}

#[test]
fn a_search_draws_every_history() {
    let args = ["find", "!read-atomic", "--count", "2", "--txns", "2", "--keys", "2"];
    let page = page("find", &args);
    assert!(page.contains("2 histories for <code>!read-atomic</code>"), "{page}");
    assert_eq!(page.matches("<article").count(), 2);
}

#[test]
fn a_lattice_is_drawn_and_told() {
    let page = page("lattice", &["lattice", "read-committed", "si", "ser", "--txns", "3"]);
    assert_eq!(page.matches("class=\"box\"").count(), 3, "{page}");
    assert_eq!(page.matches("class=\"cover").count(), 2, "{page}");
    assert!(page.contains("snapshot-isolation allows and serializable forbids: "), "{page}");
}

#[test]
fn standard_output_takes_a_page_instead_of_the_text() {
    let run = run(&["compare", "si", "ser", "-o", "html"]);
    assert!(run.code == 0 && run.out.starts_with("<!doctype html>"), "{run:?}");
    let wrong = common::run(&["compare", "si", "ser", "-o", "pdf=x"]);
    assert!(wrong.code == 64 && wrong.err.contains("html=FILE"), "{wrong:?}");
}
