//! What must hold.

use super::super::error::IsoError;
use super::super::model::{self, Rel, Sort};
use super::super::syntax::{Body, Check, CheckKind, Expr, ExprKind, Property, Span};
use super::{Bound, Elaborator, View};

impl Elaborator<'_> {
    pub(super) fn check(
        &mut self,
        check: &Check,
        view: View<'_>,
    ) -> Result<model::Check, IsoError> {
        self.within(check.span, view.site, |this| this.check_inside(check, view))
    }

    fn check_inside(&mut self, check: &Check, view: View<'_>) -> Result<model::Check, IsoError> {
        match &check.kind {
            CheckKind::In(left, right) => self.containment(left, right, view),
            CheckKind::Of(property, expr) => self.property(*property, expr, view),
            CheckKind::Not(inner) => Ok(model::Check::Not(Box::new(self.check(inner, view)?))),
            CheckKind::All(parts) => Ok(model::Check::All(self.checks(parts, view)?)),
            CheckKind::Any(parts) => Ok(model::Check::Any(self.checks(parts, view)?)),
            CheckKind::ForAll(key, inner) => {
                let bound = self.bind(key, view)?;
                let keys = Bound { name: &key.text, key: bound, outer: view.keys };
                let inner = self.check(inner, View { keys: Some(&keys), ..view })?;
                Ok(model::Check::ForAll(bound, Box::new(inner)))
            }
            CheckKind::Macro(call) => self.check_macro(call, view),
        }
    }

    fn checks(&mut self, parts: &[Check], view: View<'_>) -> Result<Vec<model::Check>, IsoError> {
        parts.iter().map(|part| self.check(part, view)).collect()
    }

    fn containment(
        &mut self,
        left: &Expr,
        right: &Expr,
        view: View<'_>,
    ) -> Result<model::Check, IsoError> {
        let both = vec![(left, self.rel(left, view)?), (right, self.rel(right, view)?)];
        let mut both = self.same_sorts("in", both, view)?.into_iter();
        let mut next = || both.next().unwrap_or(Rel::Union(Vec::new()));
        Ok(model::Check::In(next(), next()))
    }

    fn property(
        &mut self,
        property: Property,
        expr: &Expr,
        view: View<'_>,
    ) -> Result<model::Check, IsoError> {
        let rel = self.rel(expr, view)?;
        let word = property.keyword();
        match property {
            Property::Acyclic | Property::Irreflexive => self.square(word, expr, &rel, view)?,
            Property::Total if rel.sorts() != (Sort::Txn, Sort::Txn) => {
                return Err(self.not_square(word, "transactions", (expr, rel.sorts()), view));
            }
            Property::Total | Property::Empty => {}
        }
        Ok(match property {
            Property::Acyclic => model::Check::Acyclic(rel),
            Property::Irreflexive => model::Check::Irreflexive(rel),
            Property::Empty => model::Check::Empty(rel),
            Property::Total => model::Check::Total(rel),
        })
    }

    /// A macro that stands for a check, or for another macro that does.
    fn check_macro(&mut self, call: &Expr, view: View<'_>) -> Result<model::Check, IsoError> {
        let ExprKind::Call(name, arguments) = &call.kind else {
            let text = self.text(call, view);
            return Err(self.not_a_check(&text, call.span, view));
        };
        let (def, site) = self.called(name, arguments, view)?;
        let params = self.arguments(def, arguments, view)?;
        let inner = View { site, keys: None, params: &params };
        match &def.body {
            Body::Check(check) => self.expand(def, call, view, |this| this.check(check, inner)),
            Body::Expr(body) if matches!(body.kind, ExprKind::Call(..)) => {
                self.expand(def, call, view, |this| {
                    this.within(body.span, site, |this| this.check_macro(body, inner))
                })
            }
            Body::Expr(_) => Err(self.not_a_check(&name.text, name.span, view)),
        }
    }

    fn not_a_check(&self, name: &str, span: Span, view: View<'_>) -> IsoError {
        self.scope.kind(name, span, view.site, "a relation or a set", "a check")
    }
}
