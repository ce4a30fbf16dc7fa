//! A reject is a proof: every conflict stands, and together they leave nothing open.
//!
//! ```text
//!   conflict                          "not all of its literals"
//!   read of a reader that took effect "one of its possible sources", "not two of them"
//!   read from a transaction           "that transaction took effect"
//!   list read                         "its versions come first"
//! ```
//!
//! These clauses must be unsatisfiable. Only the conflicts come from the verdict; all others
//! are derived here from the trace.

use std::collections::{BTreeMap, BTreeSet};

use tristan_history::{History, KeyId, Outcome, TxnId};
use tristan_spec::Level;
use tristan_verdict::{Bad, Choice, Literal, Refutation, Source};

use crate::bad;
use crate::conflict::Court;
use crate::dpll::{self, Lit, Problem};
use crate::error::CertifyError;
use crate::facts;
use crate::grounds::Grounds;
use crate::mentions::mentioned;
use crate::promises::Promises;
use crate::reading::{Read, Reading};
use crate::support::{Effective, needed};

/// How far the solver may go.
const STEPS: u64 = 5_000_000;

/// Checks a refutation without cases in a resolved history. Returns what it rests on.
pub(crate) fn check(
    history: &History,
    level: &Level,
    drift: i64,
    refutation: &Refutation,
) -> Result<Grounds, CertifyError> {
    let reading = Reading::new(history, Promises::of(history, level)?);
    facts::check(&reading, refutation)?;
    if let Some(bad) = &refutation.bad {
        if !refutation.conflicts.is_empty() || !refutation.choices.is_empty() {
            return Err(CertifyError::Shape("has a bad read and conflicts"));
        }
        bad::check(&reading, bad)?;
        let mut most = facts::named(refutation);
        let mentioned: BTreeSet<u32> = [Some(bad.txn), bad.writer, bad.other.map(|(txn, _)| txn)]
            .into_iter()
            .flatten()
            .collect();
        most.extend(&mentioned);
        check_core(refutation, &mentioned, &most)?;
        return Ok(bad_grounds(&reading, refutation, bad, &mentioned));
    }
    if refutation.conflicts.is_empty() && refutation.choices.is_empty() {
        return Err(CertifyError::Shape("has neither a bad read nor a conflict"));
    }
    ids_are_in_range(&reading, refutation)?;
    for choice in &refutation.choices {
        check_choice(&reading, choice)?;
    }
    let mut court = Court::new(&reading, level, drift);
    for (number, conflict) in refutation.conflicts.iter().enumerate() {
        court.check(number, conflict)?;
    }
    let (least, mut most) = mentioned(refutation);
    most.extend(facts::named(refutation));
    check_core(refutation, &least, &most)?;
    let Clauses { problem, settled, .. } = Clauses::new(&court, refutation);
    note_grounds(&mut court, refutation, &settled);
    match problem.solve(STEPS) {
        dpll::Outcome::Unsatisfiable => Ok(court.grounds),
        dpll::Outcome::Satisfiable => Err(CertifyError::Satisfiable),
        dpll::Outcome::GaveUp => Err(CertifyError::TooHard { steps: STEPS }),
    }
}

/// What a bad read rests on: every transaction here is known to have committed or only wrote.
fn bad_grounds(
    reading: &Reading<'_>,
    refutation: &Refutation,
    bad: &Bad,
    mentioned: &BTreeSet<u32>,
) -> Grounds {
    let mut grounds = Grounds::default();
    for key in facts::keys(reading, refutation) {
        grounds.key(key);
    }
    let certain = Effective::certain(reading);
    for &txn in mentioned {
        grounds.txn(reading, &certain, TxnId(txn));
    }
    if let Some(key) = reading.history.keys.find(&bad.key) {
        grounds.key(KeyId(key));
    }
    grounds
}

/// Notes what the choices and the clauses rest on; conflicts have noted their own.
fn note_grounds(court: &mut Court<'_>, refutation: &Refutation, settled: &[TxnId]) {
    for choice in &refutation.choices {
        if let Some(key) = court.reading.history.keys.find(&choice.key) {
            court.note_key(KeyId(key));
        }
        court.note_txn(TxnId(choice.txn));
    }
    for key in facts::keys(court.reading, refutation) {
        court.note_key(key);
    }
    for &txn in settled {
        court.note_txn(txn);
    }
}

/// Every transaction and key exists, every literal is about something the trace has.
fn ids_are_in_range(reading: &Reading<'_>, refutation: &Refutation) -> Result<(), CertifyError> {
    let count = reading.history.txns.len();
    let (_, most) = mentioned(refutation);
    if let Some(&txn) = most.iter().find(|&&txn| txn as usize >= count) {
        return Err(CertifyError::NoSuchTxn { txn });
    }
    for (conflict, content) in refutation.conflicts.iter().enumerate() {
        for (literal, content) in content.literals.iter().enumerate() {
            if let Err(problem) = literal_makes_sense(reading, content) {
                return Err(CertifyError::Literal { conflict, literal, problem });
            }
        }
    }
    Ok(())
}

fn literal_makes_sense(reading: &Reading<'_>, literal: &Literal) -> Result<(), &'static str> {
    match literal {
        Literal::Reads { txn, op, key, from } => {
            let (_, read) = reading.named_read(TxnId(*txn), *op, key.as_ref())?;
            if reading.history.txn(read.txn).outcome == Outcome::Aborted {
                return Err("the reader aborted");
            }
            match reading.allows(&read, *from) {
                true => Ok(()),
                false => Err("the read cannot have come from there"),
            }
        }
        Literal::Before { key, first, then } => {
            let key = reading.history.keys.find(key).map(KeyId).ok_or("no such key")?;
            let installs = |txn: u32| {
                reading.history.txn(TxnId(txn)).outcome != Outcome::Aborted
                    && reading.install(TxnId(txn), key).is_some()
            };
            match first != then && installs(*first) && installs(*then) {
                true => Ok(()),
                false => Err("these are not two versions of the key"),
            }
        }
    }
}

fn check_choice(reading: &Reading<'_>, choice: &Choice) -> Result<(), CertifyError> {
    let wrong = |problem| CertifyError::Choice { txn: choice.txn, op: choice.op, problem };
    let (_, read) =
        chosen_read(reading, choice).ok_or(wrong("it is not an external read of this key"))?;
    let mut expected = reading.sources(&read);
    let mut found = choice.sources.clone();
    expected.sort_unstable();
    found.sort_unstable();
    if expected == found { Ok(()) } else { Err(wrong("the trace allows other sources")) }
}

/// The read that a choice is about. Its key is always named.
fn chosen_read(reading: &Reading<'_>, choice: &Choice) -> Option<(usize, Read)> {
    let key = reading.history.keys.find(&choice.key).map(KeyId)?;
    reading.read_of_key(TxnId(choice.txn), choice.op, key)
}

/// The core is sorted and has what it must have, and nothing that is not mentioned.
fn check_core(
    refutation: &Refutation,
    least: &BTreeSet<u32>,
    most: &BTreeSet<u32>,
) -> Result<(), CertifyError> {
    let core = &refutation.core;
    let wrong = |problem| Err(CertifyError::Core { problem });
    if !core.is_sorted_by(|one, next| one < next) {
        return wrong("is not in ascending order".to_owned());
    }
    if let Some(txn) = least.iter().find(|txn| core.binary_search(txn).is_err()) {
        return wrong(format!("lacks transaction {txn}"));
    }
    if let Some(txn) = core.iter().find(|txn| !most.contains(txn)) {
        return wrong(format!("has transaction {txn}, which nothing mentions"));
    }
    Ok(())
}

/// The conflicts of a refutation as clauses.
struct Clauses<'c, 'r> {
    court: &'c Court<'r>,
    problem: Problem,
    /// By number of the read and source.
    reads: BTreeMap<(usize, Source), Lit>,
    before: BTreeMap<(KeyId, u32, u32), Lit>,
    effect: BTreeMap<TxnId, Lit>,
    unsettled: Vec<(TxnId, Lit)>,
    /// The transactions of unknown outcome that occur in the clauses.
    settled: Vec<TxnId>,
}

impl<'c, 'r> Clauses<'c, 'r> {
    fn new(court: &'c Court<'r>, refutation: &Refutation) -> Self {
        let mut clauses = Self {
            court,
            problem: Problem::default(),
            reads: BTreeMap::new(),
            before: BTreeMap::new(),
            effect: BTreeMap::new(),
            unsettled: Vec::new(),
            settled: Vec::new(),
        };
        for choice in &refutation.choices {
            if let Some((index, read)) = chosen_read(court.reading, choice) {
                clauses.read(index, &read);
            }
        }
        for conflict in &refutation.conflicts {
            let literals = conflict.literals.iter();
            let negated = literals.map(|literal| clauses.literal(literal).map(Lit::not));
            // A clause that cannot be built is left out, which proves less, never more.
            if let Some(clause) = negated.collect() {
                clauses.problem.clause(clause);
            }
        }
        clauses.settle();
        clauses
    }

    /// The literal, with what the trace says about it; `None` if it makes no sense.
    fn literal(&mut self, literal: &Literal) -> Option<Lit> {
        match literal {
            Literal::Reads { txn, op, key, from } => {
                let named = self.court.reading.named_read(TxnId(*txn), *op, key.as_ref());
                let (index, read) = named.ok()?;
                self.read(index, &read);
                self.reads.get(&(index, *from)).copied()
            }
            Literal::Before { key, first, then } => {
                let key = self.court.reading.history.keys.find(key).map(KeyId)?;
                Some(self.ordered(key, *first, *then))
            }
        }
    }

    fn ordered(&mut self, key: KeyId, first: u32, then: u32) -> Lit {
        if first > then {
            return self.ordered(key, then, first).not();
        }
        if let Some(&known) = self.before.get(&(key, first, then)) {
            return known;
        }
        let literal = self.problem.variable();
        self.before.insert((key, first, then), literal);
        if self.court.list_fact(key, TxnId(first), TxnId(then)) {
            self.problem.clause(vec![literal]);
        }
        if self.court.list_fact(key, TxnId(then), TxnId(first)) {
            self.problem.clause(vec![literal.not()]);
        }
        literal
    }

    /// One source for a read, if the reader took effect.
    fn read(&mut self, index: usize, read: &Read) {
        let reading = self.court.reading;
        let sources = reading.sources(read);
        if sources.first().is_some_and(|&from| self.reads.contains_key(&(index, from))) {
            return;
        }
        let mut literals = Vec::with_capacity(sources.len());
        for from in sources {
            let literal = self.problem.variable();
            self.reads.insert((index, from), literal);
            literals.push(literal);
            self.implies_effect(literal, read.txn);
            if let (Source::Txn(writer), false) = (from, reading.is_dirty(read.txn)) {
                self.implies_effect(literal, TxnId(writer));
            }
        }
        self.problem.at_most_one(literals.clone());
        literals.extend(self.took_effect(read.txn).map(Lit::not));
        self.problem.clause(literals);
    }

    fn implies_effect(&mut self, literal: Lit, txn: TxnId) {
        if let Some(effect) = self.took_effect(txn) {
            self.problem.clause(vec![literal.not(), effect]);
        }
    }

    /// "This transaction took effect"; `None` if it did for sure.
    fn took_effect(&mut self, txn: TxnId) -> Option<Lit> {
        if self.court.effective.contains(txn) {
            return None;
        }
        if let Some(&known) = self.effect.get(&txn) {
            return Some(known);
        }
        let literal = self.problem.variable();
        self.effect.insert(txn, literal);
        self.unsettled.push((txn, literal));
        Some(literal)
    }

    /// Says of every transaction of unknown outcome that occurs what its effect would demand.
    fn settle(&mut self) {
        let reading = self.court.reading;
        while let Some((txn, literal)) = self.unsettled.pop() {
            self.settled.push(txn);
            let mut ops = 0..reading.history.txn(txn).op_count;
            if ops.any(|op| reading.is_impossible(txn, op)) {
                self.problem.clause(vec![literal.not()]);
            }
            for read in reading.reads_of(txn) {
                for writer in needed(reading, read) {
                    self.implies_effect(literal, writer);
                }
            }
        }
    }
}
