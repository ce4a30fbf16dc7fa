//! The pages in a real browser. `scripts/browser run cargo test -p tristan-report --test it` fetches
//! one; without, there is nothing to see and the tests say so. Pictures of all pages are
//! left in `target/screenshots`, for people to look at.

#![allow(clippy::panic, clippy::print_stderr)]

mod chromium;
mod levels;

use std::fs;
use std::path::PathBuf;

use chromium::Browser;
use tristan_audit::log::FileSource;
use tristan_report::{audit, comparison};
use tristan_verdict::Verdict;
use tristan_verdict::audit::AuditVerdict;

use crate::common;

fn folder() -> PathBuf {
    let folder = common::root().canonicalize().expect("a folder").join("target/screenshots");
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn written(name: &str, verdicts: &[Verdict]) -> PathBuf {
    let file = folder().join(format!("{name}.html"));
    fs::write(&file, tristan_report::html(verdicts)).expect("the page");
    file
}

// Tests run at the same time, so each page has a name that no other test uses.

/// All pages that are looked at, with how many arrows and steps the first proof shows.
fn pages() -> Vec<(&'static str, Verdict, u64, &'static str)> {
    vec![
        ("write-skew", common::write_skew(), 2, "write skew"),
        ("no-way-out", common::no_way_out(), 2, "Each possibility fails"),
        ("aborted-read", common::aborted_read(), 2, "aborted read"),
        ("intermediate-read", common::intermediate_read(), 2, "intermediate read"),
        ("lists", common::lists(), 2, "lost update"),
        ("own-append", common::own_append(), 2, "own last element"),
        ("phantom", common::phantom(), 2, "phantom"),
        ("faults", common::stale_read_with_faults(), 2, "node 2 is cut off"),
        (
            "long-fork",
            common::judged("corpus/strong-parallel-si/long-fork.jsonl", "si"),
            4,
            "long fork",
        ),
        ("ring-7", common::ring(7), 7, "write skew"),
        ("ring-30", common::ring(30), 30, "write skew"),
        ("ring-42", common::ring(42), 42, "show 12 more"),
        ("accept", common::accepted(), 0, "What this trace tests"),
        ("unknown", common::unknown(), 0, "allow more time"),
    ]
}

#[test]
fn pages_look_as_they_should() {
    let Some(mut browser) = Browser::start() else { return };
    for (name, verdict, steps, words) in pages() {
        let file = written(name, std::slice::from_ref(&verdict));
        for (width, dark) in [(1280, false), (1280, true), (390, false)] {
            browser.look(width, dark);
            browser.open(&file);
            let text = browser.eval("document.body.innerText").to_string();
            assert!(text.contains(words), "{name}: {text}");
            let shown = browser.count("(document.querySelector('.proof')||document.createElement('p')).querySelectorAll('.step').length");
            assert_eq!(shown, steps, "{name}");
            let overflow = browser.eval("document.documentElement.scrollWidth - innerWidth");
            assert!(
                overflow.as_i64().is_some_and(|pixels| pixels <= 0),
                "{name} at {width}: {overflow}"
            );
            assert_eq!(browser.complaints(), [""; 0], "{name}");
            assert_eq!(browser.requests(), [""; 0], "{name}");
            let dark = if dark { "-dark" } else { "" };
            let picture = folder().join(format!("{name}-{width}{dark}.png"));
            fs::write(picture, browser.screenshot()).expect("the picture");
        }
    }
}

/// What an audit of a log of the documentation says.
fn audited(log: &str, level: &str) -> AuditVerdict {
    let log = FileSource::new(common::root().join("docs/examples").join(log));
    let options = tristan_audit::AuditOptions::new(level.parse().expect("a level"));
    tristan_audit::audit(&log, &options).expect("a log")
}

/// The pages that are not about traces.
#[test]
fn other_pages_look_as_they_should() {
    let Some(mut browser) = Browser::start() else { return };
    let histories = [levels::write_skew(), levels::long_fork()];
    let find = comparison::Find {
        question: "si & !ser",
        histories: &histories,
        ending: "There may be more; use --count to ask for them.",
    };
    let pages = [
        ("comparison", comparison::html(&levels::compared()), "does not imply serializable"),
        ("find", comparison::find(&find), "2 histories for si & !ser"),
        ("lattice", tristan_report::lattice::html(&levels::lattice()), "Every pair"),
        ("audit-reject", audit::html(&[audited("audit/bank.jsonl", "ser")]), "420.00"),
        ("audit-conflict", audit::html(&[audited("audit/transfer.jsonl", "ssi")]), "T2"),
        ("audit-accept", audit::html(&[audited("audit/transfer.jsonl", "ser")]), "ACCEPT"),
    ];
    for (name, page, words) in pages {
        let file = folder().join(format!("{name}.html"));
        fs::write(&file, page).expect("the page");
        for (width, dark) in [(1280, false), (1280, true), (390, false)] {
            browser.look(width, dark);
            browser.open(&file);
            let text = browser.eval("document.body.innerText").to_string();
            assert!(text.contains(words), "{name}: {text}");
            let overflow = browser.eval("document.documentElement.scrollWidth - innerWidth");
            assert!(
                overflow.as_i64().is_some_and(|pixels| pixels <= 0),
                "{name} at {width}: {overflow}"
            );
            assert_eq!(browser.complaints(), [""; 0], "{name}");
            assert_eq!(browser.requests(), [""; 0], "{name}");
            let dark = if dark { "-dark" } else { "" };
            let picture = folder().join(format!("{name}-{width}{dark}.png"));
            fs::write(picture, browser.screenshot()).expect("the picture");
        }
    }
}

/// Every arrow of a history that tells levels apart joins two operations, and no line of a lattice
/// runs through a box.
#[test]
fn what_is_drawn_is_where_it_belongs() {
    let Some(mut browser) = Browser::start() else { return };
    browser.look(1280, false);
    let file = folder().join("drawn-comparison.html");
    fs::write(&file, comparison::html(&levels::compared())).expect("the page");
    browser.open(&file);
    assert_eq!(browser.count("document.querySelectorAll('.card').length"), 2);
    assert_eq!(browser.count("document.querySelectorAll('.arrow').length"), 2);
    let file = folder().join("drawn-lattice.html");
    fs::write(&file, tristan_report::lattice::html(&levels::lattice())).expect("the page");
    browser.open(&file);
    let hits = browser.count(
        "[...document.querySelectorAll('path.cover')].filter(line => { \
           const boxes = [...document.querySelectorAll('rect.box')].map(box => box.getBBox()); \
           const length = line.getTotalLength(); \
           return Array.from({length: 200}, (_, step) => line.getPointAtLength(length * (step + 0.5) / 200)) \
             .some(at => boxes.some(box => at.x > box.x + 1 && at.x < box.x + box.width - 1 \
               && at.y > box.y + 1 && at.y < box.y + box.height - 1)); }).length",
    );
    assert_eq!(hits, 0, "lines that run through boxes");
    assert!(browser.count("document.querySelectorAll('path.cover').length") > 15);
}

/// The number that is lit, the operations that are lit, and whether the others are dim.
fn lit(browser: &mut Browser) -> (String, u64, u64) {
    let step = browser
        .eval("[...document.querySelectorAll('.step.on .number')].map(e=>e.textContent).join()");
    let arrows = browser.count("document.querySelectorAll('.arrow.on').length");
    let ops = browser.count("document.querySelectorAll('.op.on').length");
    (step.as_str().unwrap_or_default().to_owned(), arrows, ops)
}

#[test]
fn the_keyboard_walks_the_cycle() {
    let Some(mut browser) = Browser::start() else { return };
    browser.look(1280, false);
    browser.open(&written(
        "keyboard",
        &[common::judged("corpus/strong-parallel-si/long-fork.jsonl", "si")],
    ));
    assert_eq!(lit(&mut browser), (String::new(), 0, 0));
    for step in ["1", "2", "3", "4", "1"] {
        browser.press("n");
        assert_eq!(lit(&mut browser), (step.to_owned(), 1, 2));
    }
    for step in ["4", "3"] {
        browser.press("p");
        assert_eq!(lit(&mut browser), (step.to_owned(), 1, 2));
    }
    browser.eval("document.querySelector('[data-walk=\"1\"]').click()");
    assert_eq!(lit(&mut browser).0, "4");
    browser.eval(
        "document.querySelector('.arrow[data-step=\"2\"]').dispatchEvent(new MouseEvent('click'))",
    );
    assert_eq!(lit(&mut browser).0, "2");
    let open = browser.eval("document.querySelectorAll('.step')[1].querySelector('details').open");
    assert_eq!(open, true);
    let picture = folder().join("keyboard-1280.png");
    fs::write(picture, browser.screenshot()).expect("the picture");
}

#[test]
fn a_walk_unfolds_what_is_folded() {
    let Some(mut browser) = Browser::start() else { return };
    browser.look(1280, false);
    browser.open(&written("walk-42", &[common::ring(42)]));
    assert_eq!(browser.eval("document.querySelector('details.more').open"), false);
    browser.press("p");
    assert_eq!(lit(&mut browser).0, "42");
    assert_eq!(browser.eval("document.querySelector('details.more').open"), true);
}

/// Which panes of the first tabs are on display.
const PANES: &str =
    "[...document.querySelector('.panes').children].map(e=>getComputedStyle(e).display)";

#[test]
fn tabs_work_without_javascript() {
    let Some(mut browser) = Browser::start() else { return };
    browser.look(1280, false);
    browser.scripts(false);
    browser.open(&written("tabs", &[common::no_way_out()]));
    assert_eq!(browser.eval(PANES), serde_json::json!(["block", "none"]));
    let label = "document.querySelectorAll('.tabs > label')[1]";
    let place = browser
        .eval(&format!("(r=>[r.x+r.width/2,r.y+r.height/2])({label}.getBoundingClientRect())"));
    browser.click(place[0].as_f64().expect("a place"), place[1].as_f64().expect("a place"));
    assert_eq!(browser.eval(PANES), serde_json::json!(["none", "block"]));
    let text = browser.eval("document.body.innerText").to_string();
    for words in ["REJECT", "if from T1", "if from T2", "Versions of the keys", "Run it again"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn dark_pages_are_dark_and_everything_can_be_read() {
    let Some(mut browser) = Browser::start() else { return };
    let file = written("contrast", &[common::no_way_out()]);
    let brightness = "(c=>{const [r,g,b]=c.match(/[0-9.]+/g).map(Number);return r*.3+g*.6+b*.1})";
    for (dark, expected) in [(false, 255.0), (true, 20.0)] {
        browser.look(1280, dark);
        browser.open(&file);
        let page =
            browser.eval(&format!("{brightness}(getComputedStyle(document.body).backgroundColor)"));
        let page = page.as_f64().expect("a number");
        assert!((page - expected).abs() < 10.0, "{page}");
        for what in
            [".sentence", ".because", ".tag", ".levels .violated", ".levels .open", ".legend"]
        {
            let ink = browser.eval(&format!(
                "{brightness}(getComputedStyle(document.querySelector('{what}')).color)"
            ));
            let ink = ink.as_f64().expect("a number");
            assert!((page - ink).abs() > 90.0, "{what}: {ink} on {page}");
        }
        let card = browser
            .eval(&format!("{brightness}(getComputedStyle(document.querySelector('.box')).fill)"));
        let words = browser.eval(&format!(
            "{brightness}(getComputedStyle(document.querySelector('.words')).fill)"
        ));
        let (card, words) = (card.as_f64().expect("a number"), words.as_f64().expect("a number"));
        assert!((card - words).abs() > 150.0, "{words} on {card}");
    }
}
