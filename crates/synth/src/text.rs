//! Relations and checks in the concrete syntax of level files.

use std::fmt::{self, Write as _};

use tristan_spec::Promise;
use tristan_spec::iso::{Check, Given, KeyVar, Rel, Set};

use crate::proof::HOLE;

/// How tightly an operator binds, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Key,
    Union,
    Diff,
    Inter,
    Seq,
    Postfix,
}

/// Writes relations of a level whose witnesses have these names.
pub(crate) struct Printer<'a> {
    names: &'a [String],
    keys: Vec<KeyVar>,
}

impl<'a> Printer<'a> {
    /// For witnesses of these names.
    pub(crate) fn new(names: &'a [String]) -> Self {
        Self { names, keys: vec![HOLE] }
    }

    /// The relation.
    pub(crate) fn rel(&mut self, rel: &Rel) -> String {
        let mut text = String::new();
        self.write(&mut text, rel, Binding::Key).expect("text does not fail");
        text
    }

    /// Writes a check as it could stand in a level file.
    pub(crate) fn check(&mut self, check: &Check) -> String {
        match check {
            Check::In(left, right) => format!("{} in {}", self.rel(left), self.rel(right)),
            Check::Acyclic(rel) => format!("acyclic {}", self.rel(rel)),
            Check::Irreflexive(rel) => format!("irreflexive {}", self.rel(rel)),
            Check::Empty(rel) => format!("empty {}", self.rel(rel)),
            Check::Total(rel) => format!("total {}", self.rel(rel)),
            Check::Not(inner) => format!("not {}", self.check(inner)),
            Check::All(parts) => self.checks(parts, " and "),
            Check::Any(parts) => self.checks(parts, " or "),
            Check::ForAll(key, inner) => {
                self.keys.push(*key);
                let inner = self.check(inner);
                let text = format!("forall {}. {inner}", self.key(*key));
                self.keys.pop();
                text
            }
        }
    }

    fn checks(&mut self, parts: &[Check], between: &str) -> String {
        let parts: Vec<String> = parts.iter().map(|part| self.check(part)).collect();
        format!("({})", parts.join(between))
    }

    fn write(&mut self, out: &mut String, rel: &Rel, around: Binding) -> fmt::Result {
        let own = binding(rel);
        let parenthesised = own < around;
        if parenthesised {
            out.push('(');
        }
        self.write_inside(out, rel, own)?;
        if parenthesised {
            out.push(')');
        }
        Ok(())
    }

    fn write_inside(&mut self, out: &mut String, rel: &Rel, own: Binding) -> fmt::Result {
        match rel {
            Rel::Given(given) => self.given(out, *given),
            Rel::Witness(index, key) => self.witness(out, *index, *key),
            Rel::Id(_) => out.write_str("id"),
            Rel::Test(set) => write!(out, "[{}]", self.set(set)),
            Rel::Product(left, right) => write!(out, "({} * {})", self.set(left), self.set(right)),
            Rel::Union(parts) if parts.is_empty() => out.write_str("none"),
            Rel::Union(parts) => self.list(out, parts, " | ", Binding::Diff),
            Rel::Inter(parts) => self.list(out, parts, " & ", Binding::Seq),
            Rel::Seq(parts) => self.list(out, parts, " ; ", Binding::Postfix),
            Rel::Diff(left, right) => {
                self.write(out, left, own)?;
                out.write_str(" \\ ")?;
                self.write(out, right, Binding::Inter)
            }
            Rel::Inverse(inner) => self.postfix(out, inner, "^-1"),
            Rel::Opt(inner) => self.postfix(out, inner, "?"),
            Rel::Plus(inner) => self.postfix(out, inner, "+"),
            Rel::Star(inner) => self.postfix(out, inner, "*"),
            Rel::OverKeys(key, inner) if **inner == Rel::Given(Given::Wr(*key)) => {
                out.write_str("wr")
            }
            Rel::OverKeys(key, inner) => {
                self.keys.push(*key);
                write!(out, "U {}. ", self.key(*key))?;
                let written = self.write(out, inner, Binding::Key);
                self.keys.pop();
                written
            }
            Rel::Named(name, _) => out.write_str(name),
        }
    }

    fn list(
        &mut self,
        out: &mut String,
        parts: &[Rel],
        between: &str,
        around: Binding,
    ) -> fmt::Result {
        for (place, part) in parts.iter().enumerate() {
            if place > 0 {
                out.write_str(between)?;
            }
            self.write(out, part, around)?;
        }
        Ok(())
    }

    fn postfix(&mut self, out: &mut String, inner: &Rel, mark: &str) -> fmt::Result {
        self.write(out, inner, Binding::Postfix)?;
        out.write_str(mark)
    }

    fn given(&self, out: &mut String, given: Given) -> fmt::Result {
        match given {
            Given::So => out.write_str("so"),
            Given::Rt => out.write_str("rt"),
            Given::CommitOrder => out.write_str("cc"),
            Given::BeginCommit => out.write_str("bc"),
            Given::Wr(key) => write!(out, "wr[{}]", self.key(key)),
            Given::Rd(key) => write!(out, "rd[{}]", self.key(key)),
            Given::Of => out.write_str("of"),
            Given::Po => out.write_str("po"),
        }
    }

    fn witness(&self, out: &mut String, index: usize, key: Option<KeyVar>) -> fmt::Result {
        match self.names.get(index) {
            Some(name) => out.write_str(name)?,
            None => write!(out, "witness{index}")?,
        }
        match key {
            Some(key) => write!(out, "[{}]", self.key(key)),
            None => Ok(()),
        }
    }

    fn set(&self, set: &Set) -> String {
        let list = |parts: &[Set], between: &str| {
            let parts: Vec<String> = parts.iter().map(|part| self.set(part)).collect();
            format!("({})", parts.join(between))
        };
        match set {
            Set::Txn => "Txn".to_owned(),
            Set::Init => "Init".to_owned(),
            Set::Writes(key) => format!("W[{}]", self.key(*key)),
            Set::Reads(key) => format!("R[{}]", self.key(*key)),
            Set::Writers => "W".to_owned(),
            Set::Readers => "R".to_owned(),
            Set::Promised(Promise::ReadUncommitted) => "Txn".to_owned(),
            Set::Promised(Promise::ReadCommitted) => "C".to_owned(),
            Set::Promised(Promise::RepeatableRead) => "I".to_owned(),
            Set::Promised(Promise::Serializable) => "S".to_owned(),
            Set::Union(parts) => list(parts, " | "),
            Set::Inter(parts) => list(parts, " & "),
            Set::Diff(left, right) => format!("({} \\ {})", self.set(left), self.set(right)),
        }
    }

    /// The name of a key: `x`, `y`, … by how many binders are around its own.
    fn key(&self, key: KeyVar) -> String {
        let depth = self.keys.iter().rposition(|&own| own == key).unwrap_or(0);
        let keyed = depth.saturating_sub(usize::from(self.keys.len() > 1));
        match ["x", "y", "z"].get(keyed) {
            Some(name) => (*name).to_owned(),
            None => format!("x{keyed}"),
        }
    }
}

fn binding(rel: &Rel) -> Binding {
    match rel {
        Rel::Union(parts) if parts.len() > 1 => Binding::Union,
        Rel::OverKeys(key, inner) if **inner != Rel::Given(Given::Wr(*key)) => Binding::Key,
        Rel::Diff(..) => Binding::Diff,
        Rel::Inter(_) => Binding::Inter,
        Rel::Seq(_) => Binding::Seq,
        _ => Binding::Postfix,
    }
}
