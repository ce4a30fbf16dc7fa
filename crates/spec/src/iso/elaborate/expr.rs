//! Relations and sets.

use super::super::error::IsoError;
use super::super::model::{Rel, Set, Sort};
use super::super::scope::Meaning;
use super::super::syntax::{Expr, ExprKind, Postfix, Word};
use super::sorts::{Written, fit};
use super::{Bound, Elaborator, Value, View, builtin};

impl Elaborator<'_> {
    pub(super) fn expr(&mut self, expr: &Expr, view: View<'_>) -> Result<Value, IsoError> {
        self.within(expr.span, view.site, |this| this.expr_inside(expr, view))
    }

    pub(super) fn rel(&mut self, expr: &Expr, view: View<'_>) -> Result<Rel, IsoError> {
        match self.expr(expr, view)? {
            Value::Rel(rel) => Ok(rel),
            set => Err(self.kind(expr, view, set.kind(), "a relation")),
        }
    }

    fn set(&mut self, expr: &Expr, view: View<'_>) -> Result<Set, IsoError> {
        match self.expr(expr, view)? {
            Value::Set(set) => Ok(set),
            rel => Err(self.kind(expr, view, rel.kind(), "a set")),
        }
    }

    fn expr_inside(&mut self, expr: &Expr, view: View<'_>) -> Result<Value, IsoError> {
        match &expr.kind {
            ExprKind::Name(name) => self.name(name, expr, view),
            ExprKind::Indexed(name, key) => self.indexed(name, key, view),
            ExprKind::Call(name, arguments) => self.call(name, arguments, expr, view),
            ExprKind::Test(inner) => Ok(Value::Rel(Rel::Test(self.set(inner, view)?))),
            ExprKind::Product(left, right) => {
                let sets = (self.set(left, view)?, self.set(right, view)?);
                Ok(Value::Rel(Rel::Product(sets.0, sets.1)))
            }
            ExprKind::Union(parts) => self.alike("|", parts, view, Rel::Union, Set::Union),
            ExprKind::Inter(parts) => self.alike("&", parts, view, Rel::Inter, Set::Inter),
            ExprKind::Diff(left, right) => self.difference(left, right, view),
            ExprKind::Seq(parts) => self.sequence(parts, view),
            ExprKind::Postfix(inner, sign) => self.postfix(inner, *sign, view),
            ExprKind::OverKeys(key, inner) => {
                let bound = self.bind(key, view)?;
                let keys = Bound { name: &key.text, key: bound, outer: view.keys };
                let inner = self.rel(inner, View { keys: Some(&keys), ..view })?;
                Ok(Value::Rel(Rel::OverKeys(bound, Box::new(inner))))
            }
        }
    }

    fn name(&mut self, name: &str, expr: &Expr, view: View<'_>) -> Result<Value, IsoError> {
        if let Some((value, cost)) = view.params.get(name) {
            self.spend(*cost, expr.span, view.site)?;
            return Ok(value.clone());
        }
        if let Some(value) = builtin::plain(name, self.strength) {
            return Ok(value);
        }
        let entry = self.scope.value(name, expr.span, view.site, &view.param_names())?;
        match entry.meaning {
            Meaning::Witness { index, .. } => Ok(Value::Rel(Rel::Witness(index, None))),
            Meaning::Let(own) => self.used_definition(own, entry.site, expr.span, view.site),
            Meaning::Def(_) => Err(self.kind(expr, view, "a macro", "a relation or a set")),
        }
    }

    fn indexed(&mut self, name: &Word, key: &Word, view: View<'_>) -> Result<Value, IsoError> {
        let key = self.key(key, view)?;
        if let Some(value) = builtin::per_key(&name.text, key) {
            return Ok(value);
        }
        let index = self.scope.witness_per_key(name, view.site, &view.param_names())?;
        Ok(Value::Rel(Rel::Witness(index, Some(key))))
    }

    /// A union or an intersection, of sets or of relations.
    fn alike(
        &mut self,
        operator: &'static str,
        parts: &[Expr],
        view: View<'_>,
        rels: fn(Vec<Rel>) -> Rel,
        sets: fn(Vec<Set>) -> Set,
    ) -> Result<Value, IsoError> {
        let Some((first, rest)) = parts.split_first() else {
            return Ok(Value::Rel(rels(Vec::new())));
        };
        match self.expr(first, view)? {
            Value::Set(set) => {
                let mut all = vec![set];
                for part in rest {
                    all.push(self.set(part, view)?);
                }
                Ok(Value::Set(sets(all)))
            }
            Value::Rel(rel) => {
                let mut all = vec![(first, rel)];
                for part in rest {
                    all.push((part, self.rel(part, view)?));
                }
                Ok(Value::Rel(rels(self.same_sorts(operator, all, view)?)))
            }
        }
    }

    fn difference(&mut self, left: &Expr, right: &Expr, view: View<'_>) -> Result<Value, IsoError> {
        match self.expr(left, view)? {
            Value::Set(set) => {
                let right = self.set(right, view)?;
                Ok(Value::Set(Set::Diff(Box::new(set), Box::new(right))))
            }
            Value::Rel(rel) => {
                let both = vec![(left, rel), (right, self.rel(right, view)?)];
                let mut both = self.same_sorts("\\", both, view)?.into_iter();
                let (Some(left), Some(right)) = (both.next(), both.next()) else {
                    return Ok(Value::Rel(Rel::Union(Vec::new())));
                };
                Ok(Value::Rel(Rel::Diff(Box::new(left), Box::new(right))))
            }
        }
    }

    fn sequence(&mut self, parts: &[Expr], view: View<'_>) -> Result<Value, IsoError> {
        let mut made: Vec<Written<'_>> = Vec::new();
        for part in parts {
            made.push((part, self.rel(part, view)?));
        }
        let first = made.iter().find(|(_, rel)| !matches!(rel, Rel::Id(_)));
        let mut at = first.map_or(Sort::Txn, |(_, rel)| rel.sorts().0);
        for index in 0..made.len() {
            made[index].1 = fit(made[index].1.clone(), (at, at));
            let sorts = made[index].1.sorts();
            if sorts.0 != at {
                let (left, right) = (&made[index - 1], &made[index]);
                let left = (left.0, left.1.sorts());
                return Err(self.sorts(";", left, (right.0, sorts), view));
            }
            at = sorts.1;
        }
        Ok(Value::Rel(Rel::Seq(made.into_iter().flat_map(|(_, rel)| links(rel)).collect())))
    }

    fn postfix(&mut self, inner: &Expr, sign: Postfix, view: View<'_>) -> Result<Value, IsoError> {
        let rel = self.rel(inner, view)?;
        let make = match sign {
            Postfix::Inverse => Rel::Inverse,
            Postfix::Opt => Rel::Opt,
            Postfix::Plus => Rel::Plus,
            Postfix::Star => Rel::Star,
        };
        if sign != Postfix::Inverse {
            self.square(sign.sign(), inner, &rel, view)?;
        }
        Ok(Value::Rel(make(Box::new(rel))))
    }

    fn kind(
        &self,
        expr: &Expr,
        view: View<'_>,
        found: &'static str,
        expected: &'static str,
    ) -> IsoError {
        self.scope.kind(&self.text(expr, view), expr.span, view.site, found, expected)
    }
}

/// The links of a chain: what an argument brings along joins the chain around it.
fn links(rel: Rel) -> Vec<Rel> {
    match rel {
        Rel::Seq(parts) => parts,
        other => vec![other],
    }
}
