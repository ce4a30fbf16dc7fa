//! Your own level: a few lines of text.
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use tristan_check::{Options, Silent, check};
use tristan_formats::{self as formats, Format};
use tristan_spec::iso::Library;
use tristan_spec::{Catalog, Family, FormulaError};
use tristan_verdict::Verdict;

/// What could stand in a file `mine.iso`.
const MINE: &str = r#"
/// Committed reads, and a session never misses what it wrote or overwrote itself.
level my-session-reads : dependency {
    title "a session sees its own writes"
    also msr
    rejects """
        {"s":"alice","st":"c","ops":[["w","cart",1]]}
        {"s":"alice","st":"c","ops":[["r","cart",null]]}
    """
    acyclic so | wr | ww
    irreflexive so ; rw
}
"#;

/// The level, ready for the fast engine.
pub fn family() -> Family {
    let mut library = Library::default();
    library.add("mine.iso", MINE).expect("the text is right");
    let (definition, _) = library.find_definition("my-session-reads").expect("just added");
    definition.family().expect("it is written with dependencies")
}

/// Another client may see the cart late: nothing orders the two sessions.
const LATE_CART: &str = r#"{"s":"alice","st":"c","ops":[["w","cart",1]]}
{"s":"bob","st":"c","ops":[["r","cart",null]]}
"#;

/// The verdicts on the two histories.
pub fn run() -> Result<[Verdict; 2], FormulaError> {
    let mut catalog = Catalog::default();
    catalog.add(family())?;
    let level = catalog.find("my-session-reads").expect("it was just added");
    let stale_cart = family().smallest_rejected;
    Ok([stale_cart.as_str(), LATE_CART].map(|trace| {
        let history = formats::read(trace.as_bytes(), "cart", Some(Format::Simple));
        let history = history.expect("the trace is well formed");
        check(&history, &level, &Options::default(), &Silent).verdict
    }))
}

fn main() -> Result<(), FormulaError> {
    run()?.iter().for_each(|verdict| println!("{}", verdict.to_json()));
    Ok(())
}
