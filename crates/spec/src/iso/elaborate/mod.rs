//! Gives the names of a level their meaning and writes its definitions out.
//!
//! ```text
//!   acyclic (b | ww) ; rw?  ──►  Acyclic(Seq[Union[Named b, Named ww], Opt(Named rw)])
//! ```
//!
//! Every definition is written out once and then reused, so that equal names give equal
//! relations, down to the numbers of the keys they bind. What this makes of a small text can be
//! large: [`Budget`] keeps count.

mod budget;
mod builtin;
mod call;
mod check;
mod expr;
mod sorts;
mod value;

use std::collections::BTreeMap;

use budget::{Budget, Cost};
pub(super) use builtin::{NAMES as BUILT_IN, PER_KEY as BUILT_IN_PER_KEY};
pub(super) use value::Value;

use super::error::{IsoError, IsoErrorKind};
use super::model::{self, KeyVar};
use super::scope::{Scope, Site};
use super::syntax::{Check, Expr, Let, Span, Word};
use crate::Strength;

/// What a level's names mean, at one strength.
pub(super) struct Elaborator<'a> {
    scope: &'a Scope<'a>,
    strength: Strength,
    budget: Budget,
    /// The next key to bind.
    keys: u32,
    /// Definitions that have been written out.
    known: BTreeMap<&'a str, (Value, Cost)>,
    /// Definitions that are being written out, outermost first.
    open: Vec<&'a str>,
}

/// What can be seen from where an expression stands.
#[derive(Clone, Copy)]
struct View<'p> {
    site: Site,
    /// The keys that are bound around it.
    keys: Option<&'p Bound<'p>>,
    /// The parameters of the macro whose body it stands in.
    params: &'p BTreeMap<&'p str, (Value, Cost)>,
}

/// A key that is bound, and those bound further out.
struct Bound<'p> {
    name: &'p str,
    key: KeyVar,
    outer: Option<&'p Bound<'p>>,
}

const NO_PARAMS: &BTreeMap<&str, (Value, Cost)> = &BTreeMap::new();

impl<'a> Elaborator<'a> {
    pub(super) fn new(scope: &'a Scope<'a>, strength: Strength) -> Self {
        Self {
            scope,
            strength,
            budget: Budget::default(),
            keys: builtin::FIRST_KEY,
            known: BTreeMap::new(),
            open: Vec::new(),
        }
    }

    /// Counts from the start again, for something that has nothing to do with what was before.
    pub(super) fn start_over(&mut self) {
        self.budget = Budget::default();
    }

    /// A check of a framework or level that stands there.
    pub(super) fn clause(&mut self, check: &Check, site: Site) -> Result<model::Check, IsoError> {
        self.check(check, View { site, keys: None, params: NO_PARAMS })
    }

    /// What a definition that stands there stands for.
    pub(super) fn definition(
        &mut self,
        definition: &'a Let,
        site: Site,
    ) -> Result<Value, IsoError> {
        self.used_definition(definition, site, definition.name.span, site)
    }

    /// What a definition stands for where it is used, written out once.
    fn used_definition(
        &mut self,
        definition: &'a Let,
        site: Site,
        span: Span,
        user: Site,
    ) -> Result<Value, IsoError> {
        let name = definition.name.text.as_str();
        if let Some((value, cost)) = self.known.get(name) {
            let (value, cost) = (value.clone(), *cost);
            self.spend(cost, span, user)?;
            return Ok(value);
        }
        self.open(name, span, user)?;
        let start = self.budget.start();
        let view = View { site, keys: None, params: NO_PARAMS };
        let value = match self.expr(&definition.body, view)? {
            Value::Rel(rel) => Value::Rel(model::Rel::Named(name.to_owned(), Box::new(rel))),
            set => set,
        };
        let cost = self.budget.finish(start);
        self.open.pop();
        self.known.insert(name, (value.clone(), cost));
        Ok(value)
    }

    /// Remembers that a definition is being written out, unless it already is.
    fn open(&mut self, name: &'a str, span: Span, user: Site) -> Result<(), IsoError> {
        if let Some(first) = self.open.iter().position(|open| *open == name) {
            let path = self.open[first..].iter().map(|name| (*name).to_owned()).collect();
            return Err(self.wrong(span, user, IsoErrorKind::Cycle(path)));
        }
        self.open.push(name);
        Ok(())
    }

    fn spend(&mut self, cost: Cost, span: Span, site: Site) -> Result<(), IsoError> {
        self.budget.spend(cost).map_err(|mistake| self.wrong(span, site, mistake))
    }

    /// Reads something one step further inside.
    fn within<T>(
        &mut self,
        span: Span,
        site: Site,
        read: impl FnOnce(&mut Self) -> Result<T, IsoError>,
    ) -> Result<T, IsoError> {
        self.budget.enter().map_err(|mistake| self.wrong(span, site, mistake))?;
        let result = read(self);
        self.budget.leave();
        result
    }

    fn key(&self, word: &Word, view: View<'_>) -> Result<KeyVar, IsoError> {
        let unknown = || IsoErrorKind::UnknownKey(word.text.clone());
        view.key(&word.text).ok_or_else(|| self.wrong(word.span, view.site, unknown()))
    }

    /// A key of this name that is not bound around here already.
    fn bind(&mut self, word: &Word, view: View<'_>) -> Result<KeyVar, IsoError> {
        if view.key(&word.text).is_some() {
            return Err(self.scope.bound_twice(word, view.site));
        }
        self.keys += 1;
        Ok(KeyVar(self.keys - 1))
    }

    fn wrong(&self, span: Span, site: Site, mistake: IsoErrorKind) -> IsoError {
        self.scope.wrong(span, site.file, mistake)
    }

    fn text(&self, expr: &Expr, view: View<'_>) -> String {
        self.scope.text(view.site.file, expr.span)
    }
}

impl View<'_> {
    fn key(&self, name: &str) -> Option<KeyVar> {
        let mut bound = self.keys;
        while let Some(one) = bound {
            if one.name == name {
                return Some(one.key);
            }
            bound = one.outer;
        }
        None
    }

    fn param_names(&self) -> Vec<&str> {
        self.params.keys().copied().collect()
    }
}
