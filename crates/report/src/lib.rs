//! Verdicts for people.
//!
//! ```text
//!   Verdict ─┬─► text      a page for the terminal: the answer, and why
//!            ├─► html      a page for the browser, one file
//!            ├─► svg, dot  a picture of the anomaly
//!            ├─► junit     for continuous integration; also github and markdown
//!            ├─► levels    one table for many levels
//!            ├─► script    SQL for two or three terminals
//!            └─► json      the verdict itself
//! ```
//!
//! Every function here is pure: a verdict goes in, text comes out, the same text each time.
//! Nothing is solved or judged; what a report says is already in the verdict.

pub mod audit;
mod cases;
pub mod comparison;
pub mod coverage;
mod cycle;
mod dot;
mod fates;
mod figure;
pub mod fingerprint;
mod github;
mod html;
mod junit;
pub mod lattice;
mod layout;
pub mod levels;
mod markdown;
mod markup;
mod names;
mod origin;
pub mod page;
mod phrases;
mod picture;
mod proof;
mod reject;
mod runs;
mod script;
mod summary;
pub mod svg;
pub mod text;
mod versions;

pub use dot::dot;
pub use fingerprint::{Fingerprint, fingerprint};
pub use github::github;
pub use html::{html, html_among};
pub use junit::junit;
pub use layout::paragraph;
pub use markdown::markdown;
pub use picture::svg as picture;
pub use runs::{Run, runs};
pub use script::script;
pub use summary::{sentence, word};
pub use text::{ReportContext, stopped, text};

use tristan_verdict::Verdict;

/// How text is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Columns available.
    pub width: usize,
    /// Whether to use terminal colours. Words never depend on them.
    pub colour: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { width: 100, colour: false }
    }
}

/// The verdict as JSON text.
pub fn json(verdict: &Verdict) -> String {
    let mut text = verdict.to_json();
    text.push('\n');
    text
}

/// The example of the README, which is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
