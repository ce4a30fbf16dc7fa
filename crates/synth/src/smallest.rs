//! The smallest histories: fewest transactions, then fewest keys, then fewest operations.
//!
//! ```text
//!   1, 2, 3, … transactions, any number of keys ──► the first size with an answer
//!      ──► 1, 2, … keys ──► fewer and fewer operations
//! ```
//!
//! Everything after the first arrow is one search that is asked again and again: what it learnt
//! about one number of keys or operations holds for all of them.

use tristan_spec::iso::IsoLevel;

use crate::enumerate::{Clocks, Found};
use crate::gates::{Gate, Model, SearchBudget, SearchLimitError, SearchLimits, counted};
use crate::history::AbstractHistory;
use crate::search::{Query, Search};
use crate::synthesise::{FoundHistory, Synthesis, SynthesisError, SynthesisOutcome, answer};

/// Several answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumeration {
    /// The answers, all of the same size, no two of them the same up to names.
    pub answers: Vec<FoundHistory>,
    /// Whether these are all of that size; if there are none at all, whether there are none of any
    /// size up to the scope.
    pub complete: bool,
    /// Why the search did not come to an end, if it did not.
    pub unknown: Option<SynthesisError>,
    /// How many histories were looked at and found wrong.
    pub candidates: usize,
}

/// A smallest history up to the scope of the query.
///
/// ```
/// use std::error::Error;
/// use tristan_spec::iso::Library;
/// use tristan_synth::{HistoryOptions, SynthesisOutcome, Query, Scope, gates::SearchLimits, smallest};
///
/// let level = |name: &str| Library::standard().find(name);
/// let query = Query {
///     positive: vec![level("be-si")?, level("be-update-ser")?],
///     negative: vec![level("be-ser")?],
///     scope: Scope { txns: 4, keys: 3, values: None },
///     options: HistoryOptions::default(),
/// };
/// let SynthesisOutcome::Found(answer) = smallest(&query, &SearchLimits::default()).outcome else {
///     return Err("there is one".into());
/// };
/// assert_eq!((answer.history.txns.len(), answer.history.keys.len()), (3, 2));
/// # Ok::<(), Box<dyn Error>>(())
/// ```
pub fn smallest(query: &Query, limits: &SearchLimits) -> Synthesis {
    let mut found = enumerate(query, 1, limits);
    let outcome = match (found.answers.pop(), found.unknown) {
        (Some(answer), _) => SynthesisOutcome::Found(Box::new(answer)),
        (None, Some(reason)) => SynthesisOutcome::Unknown(reason),
        (None, None) => SynthesisOutcome::None,
    };
    Synthesis { outcome, candidates: found.candidates }
}

/// Up to this many smallest histories, no two of them the same up to names.
pub fn enumerate(query: &Query, count: usize, limits: &SearchLimits) -> Enumeration {
    let budget = SearchBudget::start(limits);
    let _searching = budget.scope("search");
    let mut found =
        Enumeration { answers: Vec::new(), complete: false, unknown: None, candidates: 0 };
    match collect(query, count, &budget, &mut found) {
        Ok(complete) => found.complete = complete,
        Err(reason) => found.unknown = Some(reason),
    }
    found
}

/// Collects answers; says whether there are no more.
fn collect(
    query: &Query,
    count: usize,
    budget: &SearchBudget,
    found: &mut Enumeration,
) -> Result<bool, SynthesisError> {
    for txns in 1..=query.scope.txns {
        let mut sized = query.clone();
        sized.scope.txns = txns;
        let mut search = Search::after(found.candidates, &sized, budget)?;
        let least = least(&mut search);
        found.candidates = search.candidates();
        let Some(Least { mut history, mut model, assumed }) = least? else { continue };
        let mut known = Found::new(Clocks::of(&levels(query)));
        loop {
            found.answers.push(answer(query, &history, budget)?);
            if found.answers.len() >= count {
                return Ok(false);
            }
            let next = known.next(&mut search, &history, &model, &assumed);
            found.candidates = search.candidates();
            match next? {
                Some((next, values)) => (history, model) = (next, values),
                None => return Ok(true),
            }
        }
    }
    Ok(true)
}

fn levels(query: &Query) -> Vec<&IsoLevel> {
    query.positive.iter().chain(&query.negative).collect()
}

/// A history with the fewest keys, then operations, and the gates that say so.
struct Least {
    history: AbstractHistory,
    model: Model,
    assumed: Vec<Gate>,
}

fn least(search: &mut Search) -> Result<Option<Least>, SearchLimitError> {
    let Some((history, model)) = search.find(&[])? else { return Ok(None) };
    let least = Least { history, model, assumed: Vec::new() };
    let least = fewest_keys(search, least)?;
    fewest_operations(search, least).map(Some)
}

fn fewest_keys(search: &mut Search, mut least: Least) -> Result<Least, SearchLimitError> {
    let (solver, sought) = search.parts();
    let used = sought.used(&mut solver.circuit);
    for keys in 1..=used.len() {
        // Columns are sorted, so unused keys come last.
        let assumed: Vec<Gate> = used[keys..].iter().map(|&used| !used).collect();
        if let Some((history, model)) = search.find(&assumed)? {
            least = Least { history, model, assumed };
            break;
        }
    }
    Ok(least)
}

fn fewest_operations(search: &mut Search, mut least: Least) -> Result<Least, SearchLimitError> {
    let (solver, sought) = search.parts();
    let operations = sought.operations();
    let counts = counted(&mut solver.circuit, &operations, least.history.operations() + 1);
    loop {
        // "At least as many as now" is at the place before.
        let fewer = least.history.operations().checked_sub(1).and_then(|place| counts.get(place));
        let Some(&fewer) = fewer else { return Ok(least) };
        let assumed = [least.assumed.as_slice(), &[!fewer]].concat();
        match search.find(&assumed)? {
            Some((history, model)) => {
                least.history = history;
                least.model = model;
            }
            None => {
                let more = counts.get(least.history.operations());
                least.assumed.extend(more.map(|&more| !more));
                return Ok(least);
            }
        }
    }
}
