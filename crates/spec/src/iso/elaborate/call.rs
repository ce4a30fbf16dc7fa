//! Macros: their arguments are worked out first, then their bodies with these in place.

use std::collections::BTreeMap;

use super::super::error::{IsoError, IsoErrorKind};
use super::super::place::Place;
use super::super::scope::Site;
use super::super::syntax::{Body, Def, Expr, Word};
use super::budget::Cost;
use super::{Elaborator, Value, View};

impl<'a> Elaborator<'a> {
    pub(super) fn call(
        &mut self,
        name: &Word,
        arguments: &[Expr],
        expr: &Expr,
        view: View<'_>,
    ) -> Result<Value, IsoError> {
        let (def, site) = self.called(name, arguments, view)?;
        let Body::Expr(body) = &def.body else {
            let (found, needed) = ("a check", "a relation or a set");
            return Err(self.scope.kind(&name.text, name.span, view.site, found, needed));
        };
        let params = self.arguments(def, arguments, view)?;
        let inner = View { site, keys: None, params: &params };
        self.expand(def, expr, view, |this| this.expr(body, inner))
    }

    /// The macro of this name, and where it stands.
    pub(super) fn called(
        &self,
        name: &Word,
        arguments: &[Expr],
        view: View<'_>,
    ) -> Result<(&'a Def, Site), IsoError> {
        self.scope.called(name, arguments.len(), view.site, &view.param_names())
    }

    /// What a macro's parameters stand for.
    pub(super) fn arguments<'d>(
        &mut self,
        def: &'d Def,
        arguments: &[Expr],
        view: View<'_>,
    ) -> Result<BTreeMap<&'d str, (Value, Cost)>, IsoError> {
        let mut params = BTreeMap::new();
        for (param, argument) in def.params.iter().zip(arguments) {
            let start = self.budget.start();
            let value = self.expr(argument, view)?;
            params.insert(param.text.as_str(), (value, self.budget.finish(start)));
        }
        Ok(params)
    }

    /// Writes a macro out; what is wrong in its body is wrong with the call.
    pub(super) fn expand<T>(
        &mut self,
        def: &'a Def,
        call: &Expr,
        view: View<'_>,
        read: impl FnOnce(&mut Self) -> Result<T, IsoError>,
    ) -> Result<T, IsoError> {
        self.open(&def.name.text, call.span, view.site)?;
        let result = read(self);
        self.open.pop();
        result.map_err(|error| self.at_call(def, call, view, error))
    }

    fn at_call(&self, def: &Def, call: &Expr, view: View<'_>, error: IsoError) -> IsoError {
        let Place { file, line, column, .. } = &error.place;
        let here = format!("{file}:{line}:{column}");
        let name = def.name.text.clone();
        let mistake = match *error.kind {
            IsoErrorKind::InMacro { inner, place, .. } => {
                IsoErrorKind::InMacro { name, inner, place }
            }
            limit @ (IsoErrorKind::TooDeep(_)
            | IsoErrorKind::TooLarge(_)
            | IsoErrorKind::Cycle(_)) => limit,
            other => IsoErrorKind::InMacro { name, inner: Box::new(other), place: here },
        };
        self.wrong(call.span, view.site, mistake)
    }
}
