//! What the history itself gives: relations, sets, and being the same.

use tristan_spec::iso::{Given, Set};

use super::{End, IllFormedError, Translation, txns};
use crate::proof::formula::{INIT, Id, Kind, Pred, Var};

impl Translation {
    pub(super) fn given(
        &mut self,
        given: Given,
        from: End,
        to: End,
        holds: bool,
    ) -> Result<Id, IllFormedError> {
        let pred = match given {
            Given::So => Pred::So,
            Given::Rt => Pred::Rt,
            Given::CommitOrder => Pred::CommitOrder,
            Given::BeginCommit => Pred::BeginCommit,
            Given::Wr(key) => {
                let mut args = txns(from, to)?;
                args.push((self.key(key)?, Kind::Key));
                return Ok(self.atom(holds, Pred::Wr, &args));
            }
            Given::Rd(key) => return self.read_of(self.key(key)?, from, to, holds),
            Given::Of => return self.maker(from, to, holds),
            Given::Po => return self.read_order(from, to, holds),
        };
        let args = txns(from, to)?;
        Ok(self.atom(holds, pred, &args))
    }

    /// `rd[x]`: the second end is a read of `x` from the first.
    fn read_of(&mut self, key: Var, from: End, to: End, holds: bool) -> Result<Id, IllFormedError> {
        let (End::Txn(writer), End::Read(reader, read)) = (from, to) else {
            return Err(IllFormedError);
        };
        let args = [(writer, Kind::Txn), (reader, Kind::Txn), (read, Kind::Key)];
        let source = self.atom(holds, Pred::Wr, &args);
        let key = self.formulas.same(holds, read, key);
        Ok(self.formulas.join(holds, vec![source, key]))
    }

    /// `of`: the second end makes the read that is the first.
    fn maker(&mut self, from: End, to: End, holds: bool) -> Result<Id, IllFormedError> {
        let (End::Read(reader, _), End::Txn(txn)) = (from, to) else { return Err(IllFormedError) };
        Ok(self.formulas.same(holds, reader, txn))
    }

    /// `po`: both ends are reads of one transaction, the first earlier.
    fn read_order(&mut self, from: End, to: End, holds: bool) -> Result<Id, IllFormedError> {
        let (End::Read(reader, earlier), End::Read(other, later)) = (from, to) else {
            return Err(IllFormedError);
        };
        let args = [(reader, Kind::Txn), (earlier, Kind::Key), (later, Kind::Key)];
        let before = self.atom(holds, Pred::Po, &args);
        let same = self.formulas.same(holds, reader, other);
        Ok(self.formulas.join(holds, vec![before, same]))
    }

    pub(super) fn same(&mut self, from: End, to: End, holds: bool) -> Result<Id, IllFormedError> {
        match (from, to) {
            (End::Txn(a), End::Txn(b)) => Ok(self.formulas.same(holds, a, b)),
            (End::Read(a, x), End::Read(b, y)) => {
                let txns = self.formulas.same(holds, a, b);
                let keys = self.formulas.same(holds, x, y);
                Ok(self.formulas.join(holds, vec![txns, keys]))
            }
            _ => Err(IllFormedError),
        }
    }

    pub(super) fn member(
        &mut self,
        set: &Set,
        end: End,
        holds: bool,
    ) -> Result<Id, IllFormedError> {
        let End::Txn(txn) = end else { return Err(IllFormedError) };
        let one = [(txn, Kind::Txn)];
        Ok(match set {
            Set::Txn => self.formulas.constant(holds),
            Set::Init => self.formulas.same(holds, txn, INIT),
            Set::Writes(key) => {
                let key = self.key(*key)?;
                self.atom(holds, Pred::Writes, &[(txn, Kind::Txn), (key, Kind::Key)])
            }
            Set::Reads(key) => {
                let key = self.key(*key)?;
                self.atom(holds, Pred::Reads, &[(txn, Kind::Txn), (key, Kind::Key)])
            }
            Set::Writers => self.atom(holds, Pred::Writers, &one),
            Set::Readers => self.atom(holds, Pred::Readers, &one),
            Set::Promised(promise) => self.atom(holds, Pred::Promised(*promise), &one),
            Set::Union(parts) => self.members(parts, end, holds, !holds)?,
            Set::Inter(parts) => self.members(parts, end, holds, holds)?,
            Set::Diff(left, right) => {
                let left = self.member(left, end, holds)?;
                let right = self.member(right, end, !holds)?;
                self.formulas.join(holds, vec![left, right])
            }
        })
    }

    fn members(
        &mut self,
        parts: &[Set],
        end: End,
        holds: bool,
        all: bool,
    ) -> Result<Id, IllFormedError> {
        let parts: Result<Vec<Id>, _> =
            parts.iter().map(|part| self.member(part, end, holds)).collect();
        Ok(self.formulas.join(all, parts?))
    }
}
