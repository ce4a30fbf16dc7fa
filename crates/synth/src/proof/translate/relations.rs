//! Relations that are made of others.

use tristan_spec::iso::Rel;

use super::{End, IllFormedError, Translation, txns};
use crate::proof::formula::{Id, Kind, Pred, Var};
use crate::proof::rewrite::{canonical, flat, free_keys};

impl Translation {
    /// That the relation holds between the ends, or that it does not.
    pub(super) fn rel(
        &mut self,
        rel: &Rel,
        from: End,
        to: End,
        holds: bool,
    ) -> Result<Id, IllFormedError> {
        if !quantifies(rel) {
            return self.written_out(rel, from, to, holds);
        }
        if holds && self.universal {
            let number = self.abbreviations.number(canonical(rel));
            return self.abbreviated(number, rel, from, to, holds);
        }
        let written = self.written_out(rel, from, to, holds)?;
        if self.abbreviations.all().is_empty() {
            return Ok(written);
        }
        match self.abbreviations.find(&canonical(rel)) {
            None => Ok(written),
            Some(number) => {
                let named = self.abbreviated(number, rel, from, to, holds)?;
                Ok(self.formulas.join(true, vec![written, named]))
            }
        }
    }

    /// The abbreviation of the relation holds between the ends, or does not.
    pub(super) fn abbreviated(
        &mut self,
        number: usize,
        rel: &Rel,
        from: End,
        to: End,
        holds: bool,
    ) -> Result<Id, IllFormedError> {
        let args = self.arguments(rel, from, to)?;
        Ok(self.atom(holds, Pred::Abbreviation(number), &args))
    }

    /// The relation in terms of its parts.
    pub(super) fn written_out(
        &mut self,
        rel: &Rel,
        from: End,
        to: End,
        holds: bool,
    ) -> Result<Id, IllFormedError> {
        match rel {
            Rel::Given(given) => self.given(*given, from, to, holds),
            Rel::Witness(index, key) => {
                let mut args = txns(from, to)?;
                if let Some(key) = key {
                    args.push((self.key(*key)?, Kind::Key));
                }
                Ok(self.atom(holds, Pred::Witness(*index), &args))
            }
            Rel::Id(_) => self.same(from, to, holds),
            Rel::Test(set) => {
                let same = self.same(from, to, holds)?;
                let member = self.member(set, from, holds)?;
                Ok(self.formulas.join(holds, vec![same, member]))
            }
            Rel::Product(left, right) => {
                let left = self.member(left, from, holds)?;
                let right = self.member(right, to, holds)?;
                Ok(self.formulas.join(holds, vec![left, right]))
            }
            Rel::Union(parts) => self.each(parts, from, to, holds, !holds),
            Rel::Inter(parts) => self.each(parts, from, to, holds, holds),
            Rel::Diff(left, right) => {
                let left = self.rel(left, from, to, holds)?;
                let right = self.rel(right, from, to, !holds)?;
                Ok(self.formulas.join(holds, vec![left, right]))
            }
            Rel::Seq(parts) => self.chain(parts, from, to, holds),
            Rel::Inverse(inner) => self.rel(inner, to, from, holds),
            Rel::Opt(inner) => {
                let same = self.same(from, to, holds)?;
                let inner = self.rel(inner, from, to, holds)?;
                Ok(self.formulas.join(!holds, vec![same, inner]))
            }
            Rel::Plus(step) => {
                let args = self.arguments(step, from, to)?;
                let pred = Pred::Closure(self.closures.number(canonical(step)));
                Ok(self.atom(holds, pred, &args))
            }
            Rel::OverKeys(key, inner) => {
                self.quantified_key(*key, !holds, |this| this.rel(inner, from, to, holds))
            }
            Rel::Star(_) | Rel::Named(..) => self.rel(&flat(rel), from, to, holds),
        }
    }

    fn each(
        &mut self,
        parts: &[Rel],
        from: End,
        to: End,
        holds: bool,
        all: bool,
    ) -> Result<Id, IllFormedError> {
        let parts: Result<Vec<Id>, _> =
            parts.iter().map(|part| self.rel(part, from, to, holds)).collect();
        Ok(self.formulas.join(all, parts?))
    }

    /// A composition; tests at its ends need no transaction in the middle.
    fn chain(
        &mut self,
        parts: &[Rel],
        from: End,
        to: End,
        holds: bool,
    ) -> Result<Id, IllFormedError> {
        match parts {
            [] => self.same(from, to, holds),
            [only] => self.rel(only, from, to, holds),
            [Rel::Test(set), rest @ ..] => {
                let member = self.member(set, from, holds)?;
                let rest = self.chain(rest, from, to, holds)?;
                Ok(self.formulas.join(holds, vec![member, rest]))
            }
            [rest @ .., Rel::Test(set)] => {
                let member = self.member(set, to, holds)?;
                let rest = self.chain(rest, from, to, holds)?;
                Ok(self.formulas.join(holds, vec![rest, member]))
            }
            [first, rest @ ..] => {
                let middle = self.end(first.sorts().1);
                self.quantified(&[middle], !holds, |this| {
                    let first = this.rel(first, from, middle, holds)?;
                    let rest = this.chain(rest, middle, to, holds)?;
                    Ok(this.formulas.join(holds, vec![first, rest]))
                })
            }
        }
    }

    /// The arguments of a predicate that stands for the relation.
    fn arguments(&self, rel: &Rel, from: End, to: End) -> Result<Vec<(Var, Kind)>, IllFormedError> {
        let mut args = Vec::new();
        for end in [from, to] {
            match end {
                End::Txn(txn) => args.push((txn, Kind::Txn)),
                End::Read(txn, key) => args.extend([(txn, Kind::Txn), (key, Kind::Key)]),
            }
        }
        for key in free_keys(rel) {
            args.push((self.key(key)?, Kind::Key));
        }
        Ok(args)
    }
}

/// Whether the relation says that a transaction or a key exists.
fn quantifies(rel: &Rel) -> bool {
    match rel {
        Rel::OverKeys(..) => true,
        Rel::Seq(parts) => parts.iter().filter(|part| !matches!(part, Rel::Test(_))).count() > 1,
        _ => false,
    }
}
