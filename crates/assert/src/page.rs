//! The page that a failure leaves behind.

use std::fs;
use std::path::Path;
use std::time::Duration;

use tristan_check::Options;
use tristan_check::budget::Limits;
use tristan_check::shrink::shrink;
use tristan_history::History;
use tristan_spec::Level;
use tristan_verdict::Verdict;

/// How long to look for a smaller trace.
const SHRINKING: Duration = Duration::from_secs(10);
/// Larger traces are not made smaller.
const LARGE: usize = 20_000;

/// Writes the page and tells where; a test that fails must not fail for another reason, so a folder
/// that cannot be written to is only mentioned.
pub(crate) fn write(
    folder: &Path,
    history: &History,
    level: &Level,
    options: &Options,
    verdict: &mut Verdict,
) -> String {
    if history.txns.len() <= LARGE {
        tristan_check::survey(history, options, verdict);
        let limits = Limits { time: Some(SHRINKING), memory: None };
        let shrunk = shrink(history, level, options, verdict, &limits);
        verdict.context.smallest = shrunk.map(|shrunk| tristan_formats::compact(&shrunk.history));
    }
    let path = folder.join(format!("{}.{}.html", stem(&verdict.trace.name), level.name));
    let page = tristan_report::html(std::slice::from_ref(verdict));
    match fs::create_dir_all(folder).and_then(|()| fs::write(&path, page)) {
        Ok(()) => format!("  page: {}\n", path.display()),
        Err(error) => format!("  page: {}: {error}\n", path.display()),
    }
}

/// The name of a trace without its folders and its ending.
fn stem(name: &str) -> String {
    let stem = Path::new(name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    stem.unwrap_or_else(|| "trace".to_owned())
}
