//! Checks.

use tristan_spec::iso::{Check, Rel, Sort};

use super::{IllFormedError, Translation};
use crate::proof::formula::Id;
use crate::proof::rewrite::{flat, free_keys, map_rels, plus};

impl Translation {
    /// That the check holds, or that it does not.
    pub(in crate::proof) fn statement(
        &mut self,
        check: &Check,
        holds: bool,
    ) -> Result<Id, IllFormedError> {
        self.check(&map_rels(check, &mut flat), holds)
    }

    /// That what is abbreviated is inside its abbreviation.
    pub(in crate::proof) fn abbreviation(&mut self, number: usize) -> Result<Id, IllFormedError> {
        let rel = self.abbreviations.all().get(number).cloned().ok_or(IllFormedError)?;
        self.expands_to(number, &rel, &free_keys(&rel))
    }

    fn expands_to(
        &mut self,
        number: usize,
        rel: &Rel,
        keys: &[tristan_spec::iso::KeyVar],
    ) -> Result<Id, IllFormedError> {
        if let [key, rest @ ..] = keys {
            return self.quantified_key(*key, true, |this| this.expands_to(number, rel, rest));
        }
        let (from, to) = self.ends(rel.sorts());
        self.quantified(&[from, to], true, |this| {
            let outside = this.written_out(rel, from, to, false)?;
            let named = this.abbreviated(number, rel, from, to, true)?;
            Ok(this.formulas.join(false, vec![outside, named]))
        })
    }

    fn check(&mut self, check: &Check, holds: bool) -> Result<Id, IllFormedError> {
        match check {
            Check::In(left, right) => {
                let (from, to) = self.ends(left.sorts());
                self.quantified(&[from, to], holds, |this| {
                    let outside = this.rel(left, from, to, !holds)?;
                    let inside = this.rel(right, from, to, holds)?;
                    Ok(this.formulas.join(!holds, vec![outside, inside]))
                })
            }
            Check::Acyclic(rel) => self.check(&Check::Irreflexive(plus(rel.clone())), holds),
            Check::Irreflexive(rel) => {
                let end = self.end(rel.sorts().0);
                self.quantified(&[end], holds, |this| this.rel(rel, end, end, !holds))
            }
            Check::Empty(rel) => {
                let (from, to) = self.ends(rel.sorts());
                self.quantified(&[from, to], holds, |this| this.rel(rel, from, to, !holds))
            }
            Check::Total(rel) => self.total(rel, holds),
            Check::Not(inner) => self.check(inner, !holds),
            Check::All(parts) => self.checks(parts, holds, holds),
            Check::Any(parts) => self.checks(parts, holds, !holds),
            Check::ForAll(key, inner) => {
                self.quantified_key(*key, holds, |this| this.check(inner, holds))
            }
        }
    }

    fn checks(&mut self, parts: &[Check], holds: bool, all: bool) -> Result<Id, IllFormedError> {
        let parts: Result<Vec<Id>, _> = parts.iter().map(|part| self.check(part, holds)).collect();
        Ok(self.formulas.join(all, parts?))
    }

    /// Two different transactions are related in one direction at least.
    fn total(&mut self, rel: &Rel, holds: bool) -> Result<Id, IllFormedError> {
        if rel.sorts() != (Sort::Txn, Sort::Txn) {
            return Err(IllFormedError);
        }
        let (from, to) = self.ends(rel.sorts());
        self.quantified(&[from, to], holds, |this| {
            let same = this.same(from, to, holds)?;
            let forth = this.rel(rel, from, to, holds)?;
            let back = this.rel(rel, to, from, holds)?;
            Ok(this.formulas.join(!holds, vec![same, forth, back]))
        })
    }
}
