//! Checks and relations as first-order formulas.
//!
//! A relation holds between two *ends*; composition quantifies over the one in the middle, and
//! `U x.` over a key. A read is the pair of a transaction and a key that it reads.
//!
//! Two kinds of relations become predicates of their own, about which only what is said elsewhere
//! is known: transitive closures, and *abbreviations*. Where a composition or a union over keys
//! says that one transaction exists for every other, instances tell nothing; so it is named there, and
//! wherever else it occurs its name is mentioned too:
//!
//! ```text
//!   r \ (r ; r) in vis   ──►   ∀a ∀c ( ¬r(a,c) ∨ q(a,c) ∨ vis(a,c) )      q abbreviates r ; r
//! ```

mod atoms;
mod checks;
mod relations;

use tristan_spec::iso::{KeyVar, Rel, Sort};

use super::formula::{Formulas, Id, Kind, Pred, Var};

/// Something that no level of the language contains: an unbound key, or ends that do not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IllFormedError;

/// One side of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// A transaction.
    Txn(Var),
    /// The read of a key by a transaction.
    Read(Var, Var),
}

/// Relations that have a number, each in its canonical form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Numbered(Vec<Rel>);

impl Numbered {
    /// The relations, by number.
    pub(super) fn all(&self) -> &[Rel] {
        &self.0
    }

    fn find(&self, rel: &Rel) -> Option<usize> {
        self.0.iter().position(|own| own == rel)
    }

    fn number(&mut self, rel: Rel) -> usize {
        self.find(&rel).unwrap_or_else(|| {
            self.0.push(rel);
            self.0.len() - 1
        })
    }
}

/// Formulas under construction.
#[derive(Debug)]
pub(super) struct Translation {
    /// All formulas so far.
    pub(super) formulas: Formulas,
    /// The relations whose transitive closures occur so far.
    pub(super) closures: Numbered,
    /// The relations that are abbreviated.
    pub(super) abbreviations: Numbered,
    /// Whether what is being translated holds for all values of something.
    universal: bool,
    /// Keys in scope, innermost last.
    keys: Vec<(KeyVar, Var)>,
    /// Predicates in use, with what their arguments are, in order of appearance.
    signature: Vec<(Pred, Vec<Kind>)>,
}

impl Translation {
    /// Nothing yet, but what is to be abbreviated wherever it occurs.
    pub(super) fn new(abbreviations: Numbered) -> Self {
        Self {
            formulas: Formulas::new(),
            closures: Numbered::default(),
            abbreviations,
            universal: false,
            keys: Vec::new(),
            signature: Vec::new(),
        }
    }

    /// The predicates in use, with the kinds of their arguments.
    pub(super) fn signature(&self) -> &[(Pred, Vec<Kind>)] {
        &self.signature
    }

    fn end(&mut self, sort: Sort) -> End {
        let txn = self.formulas.fresh(Kind::Txn);
        match sort {
            Sort::Txn => End::Txn(txn),
            Sort::Read => End::Read(txn, self.formulas.fresh(Kind::Key)),
        }
    }

    fn ends(&mut self, (from, to): (Sort, Sort)) -> (End, End) {
        (self.end(from), self.end(to))
    }

    /// The body for all values of the ends if `all`, else for some.
    fn quantified(
        &mut self,
        ends: &[End],
        all: bool,
        body: impl FnOnce(&mut Self) -> Result<Id, IllFormedError>,
    ) -> Result<Id, IllFormedError> {
        let body = self.within(all, body)?;
        Ok(ends.iter().rev().fold(body, |body, &end| match end {
            End::Txn(txn) => self.formulas.quantify(!all, txn, body),
            End::Read(txn, key) => {
                let read = self.atom(!all, Pred::Reads, &[(txn, Kind::Txn), (key, Kind::Key)]);
                let body = self.formulas.join(!all, vec![read, body]);
                let body = self.formulas.quantify(!all, key, body);
                self.formulas.quantify(!all, txn, body)
            }
        }))
    }

    /// The body for all values of the key if `all`, else for some.
    fn quantified_key(
        &mut self,
        key: KeyVar,
        all: bool,
        body: impl FnOnce(&mut Self) -> Result<Id, IllFormedError>,
    ) -> Result<Id, IllFormedError> {
        let var = self.formulas.fresh(Kind::Key);
        self.keys.push((key, var));
        let body = self.within(all, body);
        self.keys.pop();
        Ok(self.formulas.quantify(!all, var, body?))
    }

    fn within(
        &mut self,
        all: bool,
        body: impl FnOnce(&mut Self) -> Result<Id, IllFormedError>,
    ) -> Result<Id, IllFormedError> {
        let outside = self.universal;
        self.universal |= all;
        let body = body(self);
        self.universal = outside;
        body
    }

    fn key(&self, key: KeyVar) -> Result<Var, IllFormedError> {
        let bound = self.keys.iter().rev().find(|(own, _)| *own == key);
        bound.map(|(_, var)| *var).ok_or(IllFormedError)
    }

    fn atom(&mut self, holds: bool, pred: Pred, args: &[(Var, Kind)]) -> Id {
        if self.signature.iter().all(|(own, _)| *own != pred) {
            self.signature.push((pred, args.iter().map(|(_, kind)| *kind).collect()));
        }
        self.formulas.atom(holds, pred, args.iter().map(|(var, _)| *var).collect())
    }
}

fn txns(from: End, to: End) -> Result<Vec<(Var, Kind)>, IllFormedError> {
    match (from, to) {
        (End::Txn(a), End::Txn(b)) => Ok(vec![(a, Kind::Txn), (b, Kind::Txn)]),
        _ => Err(IllFormedError),
    }
}
