//! Tests the names in a macro before it is used.
//!
//! Whether its parameters are relations or sets only a call decides; that every name means
//! something, every key is bound and no macro needs itself can be said at once.

use std::collections::BTreeSet;

use super::super::elaborate::{BUILT_IN, BUILT_IN_PER_KEY};
use super::super::error::{IsoError, IsoErrorKind};
use super::super::parser::MAX_DEPTH;
use super::super::syntax::{Body, Check, CheckKind, Def, Expr, ExprKind, Span, Word};
use super::{Scope, Site};

impl<'a> Scope<'a> {
    /// Tests macros that stand there.
    pub(in super::super) fn test_macros(
        &'a self,
        macros: impl Iterator<Item = &'a Def>,
        site: Site,
    ) -> Result<(), IsoError> {
        let mut test = Test { scope: self, open: Vec::new(), done: BTreeSet::new(), depth: 0 };
        for def in macros {
            test.params(def, site)?;
            test.def(def, site, (&def.name, site))?;
        }
        Ok(())
    }
}

struct Test<'a> {
    scope: &'a Scope<'a>,
    /// Macros that are being tested, outermost first.
    open: Vec<&'a str>,
    done: BTreeSet<&'a str>,
    /// How many things are inside each other, through all macros that are open.
    depth: u32,
}

/// Where in a macro something stands.
#[derive(Clone, Copy)]
struct Inside<'t> {
    site: Site,
    params: &'t [&'t str],
    keys: &'t [&'t str],
}

impl<'a> Test<'a> {
    fn params(&self, def: &Def, site: Site) -> Result<(), IsoError> {
        for (position, param) in def.params.iter().enumerate() {
            let before = def.params[..position].iter().any(|other| other.text == param.text);
            let meaning = match before {
                true => Some("it is a parameter already".to_owned()),
                false => self.scope.hidden_by(param, site),
            };
            if let Some(meaning) = meaning {
                let mistake = IsoErrorKind::Taken { name: param.text.clone(), meaning };
                return Err(self.scope.wrong(param.span, site.file, mistake));
            }
        }
        Ok(())
    }

    fn def(
        &mut self,
        def: &'a Def,
        site: Site,
        (used, user): (&Word, Site),
    ) -> Result<(), IsoError> {
        let name = def.name.text.as_str();
        if let Some(first) = self.open.iter().position(|open| *open == name) {
            let path = self.open[first..].iter().map(|name| (*name).to_owned()).collect();
            return Err(self.scope.wrong(used.span, user.file, IsoErrorKind::Cycle(path)));
        }
        if self.done.contains(name) {
            return Ok(());
        }
        self.open.push(name);
        let params: Vec<&str> = def.params.iter().map(|param| param.text.as_str()).collect();
        let inside = Inside { site, params: &params, keys: &[] };
        match &def.body {
            Body::Expr(expr) => self.expr(expr, inside)?,
            Body::Check(check) => self.check(check, inside)?,
        }
        self.open.pop();
        self.done.insert(name);
        Ok(())
    }

    /// Tests something one step further inside.
    fn deeper(
        &mut self,
        span: Span,
        site: Site,
        test: impl FnOnce(&mut Self) -> Result<(), IsoError>,
    ) -> Result<(), IsoError> {
        if self.depth >= MAX_DEPTH {
            return Err(self.scope.wrong(span, site.file, IsoErrorKind::TooDeep(MAX_DEPTH)));
        }
        self.depth += 1;
        let result = test(self);
        self.depth -= 1;
        result
    }

    fn check(&mut self, check: &Check, inside: Inside<'_>) -> Result<(), IsoError> {
        self.deeper(check.span, inside.site, |test| test.check_inside(check, inside))
    }

    fn expr(&mut self, expr: &Expr, inside: Inside<'_>) -> Result<(), IsoError> {
        self.deeper(expr.span, inside.site, |test| test.expr_inside(expr, inside))
    }

    fn check_inside(&mut self, check: &Check, inside: Inside<'_>) -> Result<(), IsoError> {
        match &check.kind {
            CheckKind::In(left, right) => {
                self.expr(left, inside)?;
                self.expr(right, inside)
            }
            CheckKind::Of(_, expr) | CheckKind::Macro(expr) => self.expr(expr, inside),
            CheckKind::Not(inner) => self.check(inner, inside),
            CheckKind::All(parts) | CheckKind::Any(parts) => {
                parts.iter().try_for_each(|part| self.check(part, inside))
            }
            CheckKind::ForAll(key, inner) => {
                let keys = self.bound(key, inside)?;
                self.check(inner, Inside { keys: &keys, ..inside })
            }
        }
    }

    fn expr_inside(&mut self, expr: &Expr, inside: Inside<'_>) -> Result<(), IsoError> {
        let Inside { site, params, keys } = inside;
        match &expr.kind {
            ExprKind::Name(name) if params.contains(&name.as_str()) => {}
            ExprKind::Name(name) if BUILT_IN.contains(&name.as_str()) => {}
            ExprKind::Name(name) => {
                self.scope.value(name, expr.span, site, params)?;
            }
            ExprKind::Indexed(name, key) => {
                if !keys.contains(&key.text.as_str()) {
                    let mistake = IsoErrorKind::UnknownKey(key.text.clone());
                    return Err(self.scope.wrong(key.span, site.file, mistake));
                }
                if !BUILT_IN_PER_KEY.contains(&name.text.as_str()) {
                    self.scope.witness_per_key(name, site, params)?;
                }
            }
            ExprKind::Call(name, arguments) => {
                let (def, home) = self.scope.called(name, arguments.len(), site, params)?;
                self.def(def, home, (name, site))?;
            }
            ExprKind::OverKeys(key, inner) => {
                let keys = self.bound(key, inside)?;
                return self.expr(inner, Inside { keys: &keys, ..inside });
            }
            _ => {}
        }
        expr.kind.parts().try_for_each(|part| self.expr(part, inside))
    }

    /// The keys that are bound behind this one.
    fn bound<'t>(&self, key: &'t Word, inside: Inside<'t>) -> Result<Vec<&'t str>, IsoError> {
        let name = key.text.as_str();
        if inside.keys.contains(&name) {
            return Err(self.scope.bound_twice(key, inside.site));
        }
        Ok(inside.keys.iter().copied().chain([name]).collect())
    }
}
