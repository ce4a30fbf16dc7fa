//! What a name means where it stands, or why it means nothing there.

use super::super::elaborate::{BUILT_IN, BUILT_IN_PER_KEY};
use super::super::error::{IsoError, IsoErrorKind};
use super::super::syntax::{Def, Span, Word};
use super::{Entry, Meaning, Scope, Site};
use crate::names;

impl<'a> Scope<'a> {
    /// What is known under a name that stands for a relation or a set and is not built in.
    pub(in super::super) fn value(
        &self,
        name: &str,
        span: Span,
        site: Site,
        params: &[&str],
    ) -> Result<Entry<'a>, IsoError> {
        let needed = "a relation or a set";
        let kind = |found| self.kind(name, span, site, found, needed);
        match self.lookup(name, site) {
            None => Err(self.unknown("relation or set", name, span, site, params)),
            Some(entry) => match entry.meaning {
                Meaning::Witness { per_key: true, .. } => {
                    Err(kind("one order per key (written with the key in brackets)"))
                }
                Meaning::Def(_) => Err(kind("a macro")),
                Meaning::Witness { .. } | Meaning::Let(_) => Ok(entry),
            },
        }
    }

    /// The number of the witness that has this name and exists for every key.
    pub(in super::super) fn witness_per_key(
        &self,
        name: &Word,
        site: Site,
        params: &[&str],
    ) -> Result<usize, IsoError> {
        let found = self.lookup(&name.text, site);
        if let Some(Meaning::Witness { index, per_key: true }) = found.map(|entry| entry.meaning) {
            return Ok(index);
        }
        let text = name.text.as_str();
        if found.is_some() || params.contains(&text) || BUILT_IN.contains(&text) {
            let (found, needed) = ("the same for all keys", "something for one key");
            return Err(self.kind(text, name.span, site, found, needed));
        }
        let known = self.locals.iter().filter(|(_, (entry, _))| {
            site.inside && matches!(entry.meaning, Meaning::Witness { per_key: true, .. })
        });
        let known = known.map(|(name, _)| *name).chain(BUILT_IN_PER_KEY);
        let nearest = names::nearest(text, known).map(|name| format!("{name}[…]"));
        let what = "relation or set for one key";
        let mistake = IsoErrorKind::Unknown { what, name: text.to_owned(), nearest };
        Err(self.wrong(name.span, site.file, mistake))
    }

    /// The macro of this name, given so many arguments, and where it stands.
    pub(in super::super) fn called(
        &self,
        name: &Word,
        given: usize,
        site: Site,
        params: &[&str],
    ) -> Result<(&'a Def, Site), IsoError> {
        let text = name.text.as_str();
        let kind = |found| self.kind(text, name.span, site, found, "a macro");
        let (def, home) = match self.lookup(text, site) {
            Some(Entry { meaning: Meaning::Def(def), site }) => (def, site),
            Some(Entry { meaning: Meaning::Let(_), .. }) => return Err(kind("a definition")),
            Some(_) => return Err(kind("a witness")),
            None if params.contains(&text) => return Err(kind("a parameter")),
            None if BUILT_IN.contains(&text) => return Err(kind("built in")),
            None => return Err(self.unknown_macro(name, site)),
        };
        if def.params.len() != given {
            let (name_text, takes) = (text.to_owned(), def.params.len());
            let mistake = IsoErrorKind::Arguments { name: name_text, takes, given };
            return Err(self.wrong(name.span, site.file, mistake));
        }
        Ok((def, home))
    }

    pub(in super::super) fn kind(
        &self,
        name: &str,
        span: Span,
        site: Site,
        found: &'static str,
        expected: &'static str,
    ) -> IsoError {
        let mistake = IsoErrorKind::Kind { name: name.to_owned(), found, expected };
        self.wrong(span, site.file, mistake)
    }

    /// Says that a key is bound inside itself.
    pub(in super::super) fn bound_twice(&self, key: &Word, site: Site) -> IsoError {
        let meaning = "it is a key that is bound by an enclosing quantifier".to_owned();
        self.wrong(key.span, site.file, IsoErrorKind::Taken { name: key.text.clone(), meaning })
    }

    fn unknown(
        &self,
        what: &'static str,
        name: &str,
        span: Span,
        site: Site,
        params: &[&str],
    ) -> IsoError {
        let values = self.known(site, |meaning| !matches!(meaning, Meaning::Def(_)));
        let known = params.iter().copied().chain(values).chain(BUILT_IN);
        let nearest = names::nearest(name, known).map(str::to_owned);
        let mistake = IsoErrorKind::Unknown { what, name: name.to_owned(), nearest };
        self.wrong(span, site.file, mistake)
    }

    fn unknown_macro(&self, name: &Word, site: Site) -> IsoError {
        let known = self.known(site, |meaning| matches!(meaning, Meaning::Def(_)));
        let nearest = names::nearest(&name.text, known).map(str::to_owned);
        let mistake = IsoErrorKind::Unknown { what: "macro", name: name.text.clone(), nearest };
        self.wrong(name.span, site.file, mistake)
    }

    /// The names of some kind that can be used there.
    fn known(&self, site: Site, is: impl Fn(Meaning<'a>) -> bool) -> impl Iterator<Item = &str> {
        let locals = self.locals.keys().copied().filter(move |_| site.inside);
        let globals = self.registry.global_names(self.registry.source(site.file).generation);
        locals
            .chain(globals)
            .filter(move |name| self.lookup(name, site).is_some_and(|entry| is(entry.meaning)))
    }
}
