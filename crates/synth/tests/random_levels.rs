//! Levels made up at random: rewriting them changes nothing, and what the search finds, or does not
//! find, is what trying all histories finds.

#![allow(clippy::panic, clippy::print_stdout)]

use crate::common;

use tristan_generate::Rng;
use tristan_spec::iso::{IsoLevel, Library};
use tristan_synth::gates::{SearchBudget, SearchLimits};
use tristan_synth::{
    AbstractHistory, AbstractTxn, Event, HistoryOptions, Query, Read, Scope, SynthesisOutcome,
    keeps, key_names, rewrite, synthesise,
};

/// Relations without witnesses.
const PLAIN: [&str; 9] = [
    "so",
    "wr",
    "so | wr",
    "(so | wr)+",
    "so ; wr",
    "[W] ; so ; [W]",
    "wr ; [Update]",
    "U y. [W[y]] ; so ; [R[y]]",
    "wr ; so?",
];

/// What a reader may know of a writer.
const KNOWN: [&str; 14] = [
    "vis",
    "ar",
    "so | wr",
    "(so | wr)+",
    "ar? ; (so | wr)",
    "ar ; [Update]",
    "[Update] ; ar",
    "vis ; so?",
    "wr",
    "U y. [W[y]] ; ar ; [W[y]]",
    "ar? ; (U y. (W[y] * W[y]) & ar)",
    "((W * W) & ar) | wr",
    "so ; ar ; wr",
    "U y. vo[y]",
];

/// Checks that say how large visibility is.
const LARGE: [&str; 12] = [
    "so in vis",
    "wr in vis",
    "so | wr in vis",
    "vis ; vis in vis",
    "ar ; vis in vis",
    "vis ; so in vis",
    "so ; vis in vis",
    "vis ; [R] ; so ; [W] ; vis in vis",
    "forall x. (W[x] * W[x]) \\ id in vis | vis^-1",
    "(W * W) in vis | vis^-1 | id",
    "forall x. step([W[x]] ; ar ; [W[x]]) in vis",
    "total vis",
];

/// Other checks.
const OTHER: [&str; 26] = [
    "rt in ar",
    "acyclic rt | wr",
    "acyclic cc | (so | wr) ; bc?",
    "not empty (bc ; wr) & so",
    "irreflexive U y. rd ; po ; rd[y]^-1",
    "irreflexive U y. rd ; po ; rd[y]^-1 ; vo[y]",
    "vis in ar",
    "so | wr in ar",
    "acyclic so | wr",
    "acyclic so | wr | (U x. vo[x])",
    "acyclic (so | wr | (U x. vo[x])) ; ((U x. wr[x]^-1 ; vo[x]) \\ id)?",
    "irreflexive (so | wr) ; (U x. wr[x]^-1 ; vo[x])",
    "acyclic so | wr | (U x. vo[x]) | (U x. wr[x]^-1 ; vo[x]) \\ id",
    "acyclic ar | so",
    "irreflexive so ; ar",
    "irreflexive (so ; ar ; wr) | (so ; wr)",
    "empty so^-1 & ar",
    "empty (wr & ar^-1) | (so & so^-1)",
    "empty wr & ar^-1",
    "not acyclic so | wr",
    "(acyclic so | wr or empty wr)",
    "(acyclic so | wr and irreflexive so ; wr)",
    "not total so | wr",
    "acyclic so^-1 | wr",
    "vo[x] in ar",
    "not empty [R] ; so ; [W]",
];

fn pick<'a>(rng: &mut Rng, from: &[&'a str]) -> &'a str {
    from[usize::try_from(rng.below(from.len() as u64)).unwrap_or(0)]
}

/// The text of a random level.
fn random_text(rng: &mut Rng, name: &str) -> String {
    let mut checks = Vec::new();
    if rng.percent(70) {
        checks.push("vis in ar".to_owned());
    }
    for _ in 0..rng.below(3) {
        checks.push(pick(rng, &LARGE).to_owned());
    }
    for _ in 0..rng.below(3) {
        let known = pick(rng, &KNOWN);
        checks.push(format!("forall x. ([W[x]] ; ({known}) ; wr[x]^-1) \\ id in ar"));
    }
    for _ in 0..rng.below(3) {
        let check = pick(rng, &OTHER);
        let bound = check.starts_with("vo[x]");
        checks.push(if bound { format!("forall x. {check}") } else { check.to_owned() });
    }
    if rng.percent(20) {
        checks.push(format!("{} in ar", pick(rng, &PLAIN)));
    }
    let witnesses = "witness ar : order witness vis : relation witness vo[x] : order on W[x]";
    format!("level {name} {{ {witnesses}\n{}\n}}", checks.join("\n"))
}

fn random_level(rng: &mut Rng) -> (String, IsoLevel) {
    let text = random_text(rng, "made-up");
    let mut library = Library::standard().clone();
    library.add("made-up.iso", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let level = library.find("made-up").expect("it was added");
    (text, level)
}

#[test]
fn rewriting_changes_nothing() {
    let (seed, count) = (11, common::count(250));
    println!("seed {seed}, {count} levels");
    let budget = SearchBudget::default();
    let (mut without_relation, mut without_order) = (0, 0);
    for number in 0..count {
        let mut rng = Rng::new(seed + number);
        let (text, level) = random_level(&mut rng);
        let forms = [
            rewrite::eliminate_relations(&level),
            rewrite::simplest(&level),
            rewrite::textbook(&level),
        ];
        let used = |form: &IsoLevel, place| rewrite::mentioned(form).contains(&place);
        without_relation += usize::from(used(&level, 1) && !used(&forms[0], 1));
        without_order += usize::from(used(&level, 0) && !used(&forms[1], 0));
        for _ in 0..40 {
            let history = common::random_history(&mut rng);
            let kept = keeps(&level, &history, &budget);
            for form in &forms {
                assert_eq!(
                    keeps(form, &history, &budget),
                    kept,
                    "seed {}: {history}\n{text}\n{:?}",
                    seed + number,
                    form.checks
                );
            }
        }
    }
    println!("{without_relation} without relation, {without_order} without order");
    assert!(without_relation > 60 && without_order > 60);
}

/// All histories of two transactions, none of them empty, with this many keys at most.
fn all_histories(keys: usize) -> Vec<AbstractHistory> {
    let mut all = Vec::new();
    // For every transaction and key: no read, of the start, of the other; and a write or none.
    let choices = 6usize.pow(2 * u32::try_from(keys).unwrap_or(0));
    for choice in 0..choices {
        let mut rest = choice;
        let mut txns = vec![AbstractTxn::default(); 2];
        for key in 0..keys {
            for (place, txn) in txns.iter_mut().enumerate() {
                let from = [None, Some(0), Some(2 - place)][rest % 3];
                txn.reads.extend(from.map(|from| Read { key, from }));
                txn.writes.extend((rest / 3 % 2 == 1).then_some(key));
                rest /= 6;
            }
        }
        let written =
            |read: &Read| read.from == 0 || txns[read.from - 1].writes.contains(&read.key);
        let possible = txns.iter().all(|txn| {
            txn.reads.iter().all(written) && !(txn.reads.is_empty() && txn.writes.is_empty())
        });
        if possible {
            all.extend(with_sessions(keys, &txns));
        }
    }
    all
}

fn with_sessions(keys: usize, txns: &[AbstractTxn]) -> Vec<AbstractHistory> {
    let sessions = [vec![vec![1], vec![2]], vec![vec![1, 2]], vec![vec![2, 1]]];
    let history = |sessions: Vec<Vec<usize>>| AbstractHistory {
        keys: key_names(keys),
        txns: txns.to_vec(),
        sessions,
        events: Vec::new(),
    };
    sessions.into_iter().map(history).collect()
}

/// The history with its reads in every order.
fn read_orders(history: &AbstractHistory) -> Vec<AbstractHistory> {
    let mut all = vec![history.clone()];
    for place in 0..history.txns.len() {
        if history.txns[place].reads.len() > 1 {
            for mut other in all.clone() {
                other.txns[place].reads.reverse();
                all.push(other);
            }
        }
    }
    all
}

/// The history with its events in every order that sessions allow.
fn clocks(history: &AbstractHistory) -> Vec<AbstractHistory> {
    use Event::{Begin, Commit};
    let orders = [
        [Begin(1), Commit(1), Begin(2), Commit(2)],
        [Begin(2), Commit(2), Begin(1), Commit(1)],
        [Begin(1), Begin(2), Commit(1), Commit(2)],
        [Begin(1), Begin(2), Commit(2), Commit(1)],
        [Begin(2), Begin(1), Commit(1), Commit(2)],
        [Begin(2), Begin(1), Commit(2), Commit(1)],
    ];
    let timed = orders.into_iter().map(|events| {
        let events = events.to_vec();
        AbstractHistory { events, ..history.clone() }
    });
    let obeys = |history: &AbstractHistory, a: usize, b: usize| {
        !history.precedes(a, b) || history.happened_before(Commit(a), Begin(b))
    };
    timed.filter(|history| obeys(history, 1, 2) && obeys(history, 2, 1)).collect()
}

#[test]
fn the_search_finds_what_there_is() {
    let (seed, count) = (31, common::count(120));
    println!("seed {seed}, {count} questions");
    let histories = [all_histories(1), all_histories(2)];
    let budget = SearchBudget::default();
    let mut found = 0;
    for number in 0..count {
        let mut rng = Rng::new(seed + number);
        let (allowed, positive) = random_level(&mut rng);
        let (forbidden, negative) = random_level(&mut rng);
        let keys = 1 + usize::from(rng.percent(20));
        let fits = |history: &AbstractHistory| {
            keeps(&positive, history, &budget) == Ok(true)
                && keeps(&negative, history, &budget) == Ok(false)
        };
        let asks = |words: &[&str]| {
            words.iter().any(|word| allowed.contains(word) || forbidden.contains(word))
        };
        let exists = histories[keys - 1].iter().any(|history| {
            let ordered = match asks(&["po ;"]) {
                true => read_orders(history),
                false => vec![history.clone()],
            };
            ordered.iter().any(|history| match asks(&["rt", "cc", "bc"]) {
                true => clocks(history).iter().any(fits),
                false => fits(history),
            })
        });
        let query = Query {
            positive: vec![positive.clone()],
            negative: vec![negative.clone()],
            scope: Scope { txns: 2, keys, values: None },
            options: HistoryOptions::default(),
        };
        let outcome = synthesise(&query, &SearchLimits::default()).outcome;
        let agrees = match &outcome {
            SynthesisOutcome::Found(_) => exists,
            SynthesisOutcome::None => !exists,
            SynthesisOutcome::Unknown(_) => false,
        };
        assert!(agrees, "seed {}: {outcome:?}\n{allowed}\n{forbidden}", seed + number);
        found += usize::from(exists);
    }
    println!("{found} with an answer");
    assert!(found > 20 && found + 20 < usize::try_from(count).unwrap_or(0), "{found}");
}
