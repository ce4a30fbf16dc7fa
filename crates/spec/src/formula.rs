//! Relational formulas: what a level forbids.
//!
//! ```text
//!   formula    ::= constraint { "," constraint }
//!   constraint ::= ("acyclic" | "irreflexive") "(" expr ")"
//!   expr       ::= seq { "|" seq }            union
//!   seq        ::= post { ";" post }          composition
//!   post       ::= atom { "?" | "+" | "*" }   optional, one or more, any number
//!   atom       ::= relation | "[" set "]" | "(" expr ")"
//! ```
//!
//! Every operator is monotone, so a formula that is violated by some edges is violated by any
//! larger set of edges. That is why a single cycle is a proof.

use std::fmt;

use crate::{Rel, Set, Strength};

/// An expression that denotes a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A dependency.
    Rel(Rel),
    /// The identity on a set.
    Test(Set),
    /// Composition, left to right.
    Seq(Vec<Expr>),
    /// Union.
    Alt(Vec<Expr>),
    /// The relation or the identity.
    Opt(Box<Expr>),
    /// Transitive closure.
    Plus(Box<Expr>),
    /// Reflexive transitive closure.
    Star(Box<Expr>),
}

/// One requirement on the dependencies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// No cycle.
    Acyclic(Expr),
    /// No loop.
    Irreflexive(Expr),
}

impl Constraint {
    /// The expression that must have no cycle or no loop.
    pub fn expr(&self) -> &Expr {
        match self {
            Self::Acyclic(expr) | Self::Irreflexive(expr) => expr,
        }
    }
}

/// All requirements of a level; some version order and read sources must meet all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// The constraints, all of which must hold.
    pub constraints: Vec<Constraint>,
}

impl Formula {
    /// The formula with `o` and `b` replaced by their meaning at a strength.
    pub fn at_strength(&self, strength: Strength) -> Self {
        let fixed = |constraint: &Constraint| match constraint {
            Constraint::Acyclic(expr) => Constraint::Acyclic(expr.at_strength(strength.orders())),
            Constraint::Irreflexive(expr) => {
                Constraint::Irreflexive(expr.at_strength(strength.orders()))
            }
        };
        Self { constraints: self.constraints.iter().map(fixed).collect() }
    }

    /// Whether it asks what transactions were promised.
    pub fn asks_promises(&self) -> bool {
        self.constraints.iter().any(|constraint| constraint.expr().asks_promises())
    }
}

impl Expr {
    /// The expression with `o` replaced by the relations `orders`, and `b` by those and `wr`.
    pub fn at_strength(&self, orders: &[Rel]) -> Self {
        let union = |rels: &[Rel]| match rels {
            [only] => Self::Rel(*only),
            _ => Self::Alt(rels.iter().map(|&rel| Self::Rel(rel)).collect()),
        };
        let all = |parts: &[Self]| parts.iter().map(|part| part.at_strength(orders)).collect();
        let boxed = |inner: &Self| Box::new(inner.at_strength(orders));
        match self {
            Self::Rel(Rel::Order) => union(orders),
            Self::Rel(Rel::Base) => union(&[&[Rel::Wr], orders].concat()),
            Self::Rel(_) | Self::Test(_) => self.clone(),
            Self::Seq(parts) => Self::Seq(all(parts)),
            Self::Alt(parts) => Self::Alt(all(parts)),
            Self::Opt(inner) => Self::Opt(boxed(inner)),
            Self::Plus(inner) => Self::Plus(boxed(inner)),
            Self::Star(inner) => Self::Star(boxed(inner)),
        }
    }

    /// Whether the relation occurs in the expression.
    pub fn mentions(&self, rel: Rel) -> bool {
        match self {
            Self::Rel(own) => *own == rel,
            Self::Test(_) => false,
            Self::Seq(parts) | Self::Alt(parts) => parts.iter().any(|part| part.mentions(rel)),
            Self::Opt(inner) | Self::Plus(inner) | Self::Star(inner) => inner.mentions(rel),
        }
    }

    fn asks_promises(&self) -> bool {
        match self {
            Self::Rel(_) => false,
            Self::Test(set) => set.least_promise().is_some(),
            Self::Seq(parts) | Self::Alt(parts) => parts.iter().any(Self::asks_promises),
            Self::Opt(inner) | Self::Plus(inner) | Self::Star(inner) => inner.asks_promises(),
        }
    }

    fn binding(&self) -> u8 {
        match self {
            Self::Alt(parts) if parts.len() > 1 => 0,
            Self::Seq(parts) if parts.len() > 1 => 1,
            Self::Opt(_) | Self::Plus(_) | Self::Star(_) => 2,
            _ => 3,
        }
    }

    fn print(&self, out: &mut fmt::Formatter<'_>, least: u8) -> fmt::Result {
        if self.binding() < least {
            out.write_str("(")?;
            self.print(out, 0)?;
            return out.write_str(")");
        }
        match self {
            Self::Rel(rel) => out.write_str(rel.name()),
            Self::Test(set) => write!(out, "[{}]", set.name()),
            Self::Alt(parts) if parts.is_empty() => out.write_str("none"),
            Self::Alt(parts) => print_list(parts, " | ", 1, out),
            Self::Seq(parts) => print_list(parts, " ; ", 2, out),
            Self::Opt(inner) => print_postfix(inner, "?", out),
            Self::Plus(inner) => print_postfix(inner, "+", out),
            Self::Star(inner) => print_postfix(inner, "*", out),
        }
    }
}

fn print_list(
    parts: &[Expr],
    between: &str,
    least: u8,
    out: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    for (position, part) in parts.iter().enumerate() {
        if position > 0 {
            out.write_str(between)?;
        }
        part.print(out, least)?;
    }
    Ok(())
}

fn print_postfix(inner: &Expr, sign: &str, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    inner.print(out, 2)?;
    out.write_str(sign)
}

impl fmt::Display for Expr {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(out, 0)
    }
}

impl fmt::Display for Constraint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Acyclic(expr) => write!(out, "acyclic({expr})"),
            Self::Irreflexive(expr) => write!(out, "irreflexive({expr})"),
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, constraint) in self.constraints.iter().enumerate() {
            if position > 0 {
                out.write_str(", ")?;
            }
            constraint.fmt(out)?;
        }
        Ok(())
    }
}
