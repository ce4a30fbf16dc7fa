//! A level of one's own: a formula, a name and a line for people.
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use std::borrow::Cow;

use tristan_check::{Options, Silent, check};
use tristan_history::formats::{self, Format};
use tristan_spec::{Catalog, Family, FormulaError, ReadRule};
use tristan_verdict::Verdict;

/// Committed reads, and a session never misses what it wrote or overwrote itself.
pub fn family() -> Family {
    Family {
        name: Cow::Borrowed("my-session-reads"),
        aliases: &["msr"],
        title: Cow::Borrowed("a session sees its own writes"),
        natural: None,
        formula: Cow::Borrowed("acyclic(so | wr | ww), irreflexive(so ; rw)"),
        reads: ReadRule::Committed,
        smallest_rejected: STALE_CART,
    }
}

/// A client that does not see what it has just put into its cart.
const STALE_CART: &str = r#"{"s":"alice","st":"c","ops":[["w","cart",1]]}
{"s":"alice","st":"c","ops":[["r","cart",null]]}
"#;

/// Another client may see the cart late: nothing orders the two sessions.
const LATE_CART: &str = r#"{"s":"alice","st":"c","ops":[["w","cart",1]]}
{"s":"bob","st":"c","ops":[["r","cart",null]]}
"#;

/// The verdicts on the two histories.
pub fn run() -> Result<[Verdict; 2], FormulaError> {
    let mut catalog = Catalog::default();
    catalog.add(family())?;
    let level = catalog.find("my-session-reads").expect("it was just added");
    Ok([STALE_CART, LATE_CART].map(|trace| {
        let history = formats::read(trace.as_bytes(), "cart", Some(Format::Simple));
        let history = history.expect("the trace is well formed");
        check(&history, &level, &Options::default(), &Silent).verdict
    }))
}

fn main() -> Result<(), FormulaError> {
    run()?.iter().for_each(|verdict| println!("{}", verdict.to_json()));
    Ok(())
}
