//! Every output on an accept, a reject and an unknown, byte for byte. `UPDATE_EXPECT=1` writes down
//! what there is; look at the difference before it is kept.

#![allow(clippy::panic)]

use std::fs;

use tristan_report::{ReportContext, Style};
use tristan_verdict::Verdict;

use crate::common;

fn cases() -> [(&'static str, Verdict); 4] {
    [
        ("accept", common::accepted()),
        ("reject", common::write_skew()),
        ("cases", common::no_way_out()),
        ("unknown", common::unknown()),
    ]
}

/// Compares a text with what was written down.
fn expect(name: &str, text: &str) {
    let file = common::root().join("crates/report/tests/snapshots").join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(&file, text).expect("a file");
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    assert!(expected == text, "{name} is not as it was; UPDATE_EXPECT=1 writes it down:\n{text}");
}

fn all(extension: &str, render: impl Fn(&Verdict) -> String) {
    for (name, verdict) in cases() {
        let text = render(&verdict);
        assert_eq!(text, render(&verdict), "the same bytes every time");
        let again = Verdict::from_json(&verdict.to_json()).expect("a verdict");
        assert_eq!(text, render(&again), "from the JSON alone");
        expect(&format!("{name}.{extension}"), &text);
    }
}

fn one(verdict: &Verdict) -> &[Verdict] {
    std::slice::from_ref(verdict)
}

#[test]
fn text() {
    all("txt", |verdict| {
        tristan_report::text(verdict, &ReportContext::default(), Style::default())
    });
}

#[test]
fn junit() {
    all("xml", |verdict| tristan_report::junit(one(verdict)));
}

#[test]
fn github() {
    all("github", |verdict| tristan_report::github(one(verdict)));
}

#[test]
fn markdown() {
    all("md", |verdict| tristan_report::markdown(one(verdict)));
}

#[test]
fn dot() {
    all("dot", |verdict| tristan_report::dot(one(verdict)));
}

#[test]
fn svg() {
    all("svg", |verdict| tristan_report::picture(one(verdict)));
}

/// Without the style, the script and the files in it, which have tests of their own.
#[test]
fn html() {
    all("html", |verdict| {
        let page = tristan_report::html(one(verdict));
        let main = page.split_once("<main>").and_then(|(_, rest)| rest.split_once("</main>"));
        let (main, _) = main.expect("a page");
        let parts: Vec<&str> = main.split(";base64,").collect();
        let content = |part: &&str| part.split_once('"').map_or("", |(_, rest)| rest).to_owned();
        let rest: Vec<String> = parts[1..].iter().map(content).collect();
        [vec![parts[0].to_owned()], rest].concat().join(";base64,…\"")
    });
}
