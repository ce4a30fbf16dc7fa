//! What holds for outputs, whatever the verdict: nothing gets out of its place, nothing grows without
//! bounds, and machines can read what is meant for them.

#![allow(clippy::panic, clippy::print_stderr)]

use std::io::Write as _;
use std::process::{Command, Stdio};

use tristan_history::{HistoryBuilder, Outcome};
use tristan_verdict::Verdict;

use crate::common;

const HOSTILE: &str = "<script>alert('1')</script>\"'&]]>--><img src=x onerror=alert(1)>\u{0}\u{1b}[31m\u{202e}\n::error::\n```\n|x|";

/// Everything a trace can name is hostile.
fn hostile() -> Verdict {
    let mut builder = HistoryBuilder::default();
    let other = format!("{HOSTILE}2");
    builder.begin(HOSTILE).get(HOSTILE, None).put(other.as_str(), 1).end(Outcome::Committed);
    builder.begin(other.as_str()).get(other.as_str(), None).put(HOSTILE, 1).end(Outcome::Committed);
    let mut verdict = common::verdict(&builder.finish(), "serializable", HOSTILE);
    for card in &mut verdict.transactions {
        card.label = format!("{HOSTILE}{}", card.id);
        card.error = Some(HOSTILE.to_owned());
        card.lines = (1, 2);
    }
    verdict.level = HOSTILE.to_owned();
    verdict.definition = HOSTILE.to_owned();
    verdict.context.command = Some(HOSTILE.to_owned());
    verdict
}

/// Markup that is not ours: an opening bracket that begins none of the elements we write.
fn foreign(markup: &str) -> Vec<&str> {
    let bad = ["<script>alert", "<img", "onerror=alert(1)>", "]]>", "\u{0}", "\u{1b}", "\u{202e}"];
    bad.into_iter().filter(|bad| markup.contains(bad)).collect()
}

/// One of the outputs.
type Render = fn(&[Verdict]) -> String;

#[test]
fn hostile_names_stay_in_their_place() {
    let verdicts = [hostile()];
    for markup in [
        tristan_report::html(&verdicts),
        tristan_report::junit(&verdicts),
        tristan_report::picture(&verdicts),
    ] {
        assert_eq!(foreign(&markup), [""; 0]);
    }
    let github = tristan_report::github(&verdicts);
    assert_eq!((github.lines().count(), github.matches("\n::").count()), (1, 0), "{github}");
    let markdown = tristan_report::markdown(&verdicts);
    let parts: Vec<&str> = markdown.split("```").collect();
    let [before, _, after] = parts[..] else { panic!("{markdown}") };
    assert!(!before.contains('<') && after.trim().is_empty(), "{markdown}");
    read_by_python(&tristan_report::junit(&verdicts), "REJECT");
}

/// Reads a JUnit document as a build server would: well-formed, only elements and attributes of
/// the format, in their order, and numbers that add up.
fn read_by_python(document: &str, expected: &str) {
    let script = common::root().join("crates/report/tests/read_junit.py");
    let mut python = Command::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python");
    let mut input = python.stdin.take().expect("a pipe");
    input.write_all(document.as_bytes()).expect("Python reads");
    drop(input);
    let output = python.wait_with_output().expect("Python ends");
    let words = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && words.contains(expected), "{words}\n{document}");
}

#[test]
fn build_servers_read_junit() {
    let verdicts =
        [common::accepted(), common::write_skew(), common::unknown(), common::aborted_read()];
    let expected = "4 tests, 2 failures, 1 errors in 3 suites";
    read_by_python(&tristan_report::junit(&verdicts), expected);
    read_by_python(&tristan_report::junit(&[]), "0 tests");
}

/// Somebody else's reader agrees on every number. It is fetched if it is not there; where it cannot
/// be had, the test says so.
#[test]
fn a_published_reader_reads_junit() {
    let tools = common::root().join("target/tools/junitparser");
    let fetched = tools.is_dir() || {
        let mut pip = Command::new("python3");
        pip.args(["-m", "pip", "install", "--quiet", "--target"]).arg(&tools).arg("junitparser");
        pip.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    if !fetched {
        eprintln!("junitparser cannot be had here: nobody else reads our JUnit documents");
        return;
    }
    let script = "import sys, junitparser as j\n\
        root = j.JUnitXml.fromstring(sys.stdin.buffer.read())\n\
        assert isinstance(root, j.JUnitXml)\n\
        print(root.tests, root.failures, root.errors, root.skipped or 0)\n\
        for suite in root:\n\
        \x20   for case in suite:\n\
        \x20       results = [type(r).__name__ + ' ' + r.type for r in case.result]\n\
        \x20       print(suite.name, '|', case.classname, '|', case.name, '|', *results)\n\
        told = (root.tests, root.failures, root.errors)\n\
        root.update_statistics()\n\
        assert told == (root.tests, root.failures, root.errors), 'numbers do not add up'\n";
    let verdicts = [
        common::accepted(),
        common::write_skew(),
        common::unknown(),
        common::aborted_read(),
        hostile(),
    ];
    let mut python = Command::new("python3")
        .args(["-c", script])
        .env("PYTHONPATH", &tools)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python");
    let mut input = python.stdin.take().expect("a pipe");
    input.write_all(tristan_report::junit(&verdicts).as_bytes()).expect("Python reads");
    drop(input);
    let output = python.wait_with_output().expect("Python ends");
    let words = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{words}");
    for line in [
        "5 3 1 0",
        "| serializable | Failure G2-item",
        "| read-committed | Failure G1a",
        "| Error unknown",
    ] {
        assert!(words.contains(line), "{line}: {words}");
    }
}

#[test]
fn pictures_are_well_formed() {
    let script = "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.stdin)";
    for verdict in [common::ring(42), common::no_way_out(), common::accepted(), hostile()] {
        let mut python = Command::new("python3")
            .args(["-c", script])
            .stdin(Stdio::piped())
            .spawn()
            .expect("Python");
        let picture = tristan_report::picture(&[verdict]);
        let mut input = python.stdin.take().expect("a pipe");
        input.write_all(picture.as_bytes()).expect("Python reads");
        drop(input);
        assert!(python.wait().expect("Python ends").success(), "{picture}");
    }
}

/// A page loads nothing, and says so to the browser.
#[test]
fn pages_are_self_contained() {
    for verdict in [common::write_skew(), common::accepted(), common::unknown()] {
        let page = tristan_report::html(&[verdict]);
        assert!(page.contains("default-src 'none'"));
        for loader in ["<link", "<img", "<iframe", "@import", "url(", " src="] {
            assert!(!page.contains(loader), "{loader}");
        }
    }
}

#[test]
fn many_verdicts_are_one_page() {
    let verdicts = [common::accepted(), common::write_skew(), common::write_skew()];
    let page = tristan_report::html(&verdicts);
    assert_eq!(page.matches("<article").count(), 2, "one of those that say the same");
    let first = page.find("<article").expect("an article");
    assert!(page[first..].find("REJECT") < page[first..].find("ACCEPT"), "rejections come first");
}

#[test]
fn verdicts_on_a_million_transactions_make_small_pages() {
    for verdict in [common::large::accept(), common::large::reject()] {
        let verdicts = [verdict];
        let outputs: [(&str, Render); 6] = [
            ("html", tristan_report::html),
            ("svg", tristan_report::picture),
            ("dot", tristan_report::dot),
            ("junit", tristan_report::junit),
            ("github", tristan_report::github),
            ("markdown", tristan_report::markdown),
        ];
        for (name, render) in outputs {
            let size = render(&verdicts).len();
            assert!(size < 2_000_000, "{name}: {size} bytes");
        }
    }
}
