//! The pages in a real browser. `scripts/browser run cargo test -p tristan-serve --test it` fetches one;
//! without, there is nothing to see and the test says so. Pictures are left in
//! `target/screenshots`, for people to look at.

#![allow(clippy::panic, clippy::print_stderr)]

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use crate::chromium::Browser;
use crate::common;

/// A page that is not there by then will never come, however slow the machine.
const LONGEST_WAIT: Duration = Duration::from_secs(300);

fn folder() -> PathBuf {
    let folder = common::root().canonicalize().expect("a folder").join("target/screenshots");
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Looks at the page that is open: nothing to complain about, nothing from elsewhere, no overflow.
fn look(browser: &mut Browser, address: &str, name: &str, width: u32) {
    assert_eq!(browser.complaints(), [""; 0], "{name}");
    let ours = format!("\"http://{address}/");
    let foreign: Vec<String> =
        browser.requests().into_iter().filter(|request| !request.starts_with(&ours)).collect();
    assert_eq!(foreign, [""; 0], "{name}");
    let overflow = browser.eval("document.documentElement.scrollWidth - innerWidth");
    assert!(overflow.as_i64().is_some_and(|pixels| pixels <= 0), "{name} at {width}: {overflow}");
    let picture = folder().join(format!("serve-{name}-{width}.png"));
    fs::write(picture, browser.screenshot()).expect("the picture");
}

fn text(browser: &mut Browser) -> String {
    browser.eval("document.body.innerText").as_str().unwrap_or_default().to_owned()
}

/// Waits until a page that is on its way says something.
fn wait_for(browser: &mut Browser, words: &str) {
    let until = Instant::now() + LONGEST_WAIT;
    loop {
        // While one page gives way to the next there is nothing to ask.
        let there =
            browser.try_eval("document.readyState === 'complete' && document.body.innerText");
        if there.as_ref().and_then(|text| text.as_str()).is_some_and(|text| text.contains(words)) {
            return;
        }
        assert!(Instant::now() < until, "{words} never came: {there:?}");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn pages_look_as_they_should() {
    let Some(mut browser) = Browser::start() else { return };
    let address = common::served(&common::stocked("browser-pages"));
    let pages = [
        ("list", "/", "by fingerprint"),
        ("filtered", "/?verdict=reject&q=skew", "2 entries"),
        ("report", "/report?file=monday/skew.json", "write skew"),
        ("compare", "/compare?a=0:monday/skew.json&b=0:tuesday.json", "The same anomaly"),
        ("compare-levels", "/compare?a=0:fork.json&b=0:fine.json", "Gone in B"),
        ("audit", "/report?file=audit.json", "Observed, and expected"),
        ("check", "/check", "Drop a trace"),
    ];
    for (name, target, words) in pages {
        for width in [1280, 390] {
            browser.look(width, false);
            browser.visit(&format!("http://{address}{target}"));
            assert!(text(&mut browser).contains(words), "{name}");
            look(&mut browser, &address, name, width);
        }
    }
    browser.look(1280, true);
    browser.visit(&format!("http://{address}/"));
    look(&mut browser, &address, "list-dark", 1280);
    browser.visit(&format!("http://{address}/nothing"));
    assert!(text(&mut browser).contains("there is no such page"));
}

#[test]
fn a_reader_filters_opens_compares_and_drops() {
    let Some(mut browser) = Browser::start() else { return };
    let address = common::served(&common::stocked("browser-walk"));
    let home = format!("http://{address}/");
    browser.look(1280, false);
    browser.visit(&home);
    browser.eval("document.querySelector('select[name=verdict]').value = 'reject'");
    browser.eval("document.querySelector('.filters').requestSubmit()");
    wait_for(&mut browser, "5 entries");
    browser.eval("document.querySelector('a[href*=\"skew.json\"]').click()");
    wait_for(&mut browser, "Can I trust it?");
    browser.press("n");
    assert_eq!(browser.count("document.querySelectorAll('.step.on').length"), 1);

    browser.visit(&home);
    for (side, file) in [("a", "monday/skew"), ("b", "tuesday")] {
        browser.eval(&format!(
            "document.querySelector('input[name={side}][value*=\"{file}\"]').click()"
        ));
    }
    browser.eval("document.querySelector('.entries').requestSubmit()");
    wait_for(&mut browser, "The same anomaly");

    browser.visit(&home);
    browser.eval(&format!(
        "(() => {{ const files = new DataTransfer(); files.items.add(new File([{}], 'dropped.jsonl')); \
         document.dispatchEvent(new DragEvent('drop', {{ dataTransfer: files, bubbles: true }})); }})()",
        serde_json::Value::from(common::TRACE)
    ));
    wait_for(&mut browser, "Can I trust it?");
    let report = text(&mut browser);
    assert!(report.contains("REJECT") && report.contains("dropped.jsonl"), "{report}");
    look(&mut browser, &address, "dropped", 1280);
}

/// Choosing, filtering and checking work without JavaScript, too.
#[test]
fn a_trace_of_the_folder_is_checked_without_javascript() {
    let Some(mut browser) = Browser::start() else { return };
    let address = common::served(&common::stocked("browser-plain"));
    browser.look(1280, false);
    browser.scripts(false);
    browser.visit(&format!("http://{address}/check?file=%3Cb%3Eodd%20%26%20%27name%27.jsonl"));
    let place = browser.eval(
        "(r=>[r.x+r.width/2,r.y+r.height/2])(document.querySelector('.drop button').getBoundingClientRect())",
    );
    browser.click(place[0].as_f64().expect("a place"), place[1].as_f64().expect("a place"));
    wait_for(&mut browser, "write skew");
}
