//! Relations, sets and checks as text.
//!
//! Parentheses are written where the text would mean something else without them, and around
//! what stands beside `\` or `&`, where few people remember which of the two binds tighter.

use std::fmt::{self, Display, Formatter};

use super::parser::RESERVED;
use super::syntax::{Body, ClauseKind, Word};
use super::syntax::{Check, CheckKind, Def, Expr, ExprKind, Let, WitnessClause, WitnessKind};
use super::token;

/// How tightly an expression holds together; looser ones get parentheses inside tighter ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    OverKeys,
    Union,
    Diff,
    Inter,
    Seq,
    Postfix,
    Atom,
}

impl Expr {
    fn binding(&self) -> Binding {
        match &self.kind {
            ExprKind::OverKeys(..) => Binding::OverKeys,
            ExprKind::Union(_) => Binding::Union,
            ExprKind::Diff(..) => Binding::Diff,
            ExprKind::Inter(_) => Binding::Inter,
            ExprKind::Seq(_) => Binding::Seq,
            ExprKind::Postfix(..) => Binding::Postfix,
            ExprKind::Name(_)
            | ExprKind::Indexed(..)
            | ExprKind::Call(..)
            | ExprKind::Test(_)
            | ExprKind::Product(..) => Binding::Atom,
        }
    }

    fn print(&self, least: Binding, out: &mut Formatter<'_>) -> fmt::Result {
        if self.binding() < least {
            return write!(out, "({self})");
        }
        match &self.kind {
            ExprKind::Name(name) => out.write_str(name),
            ExprKind::Indexed(name, key) => write!(out, "{}[{}]", name.text, key.text),
            ExprKind::Call(name, arguments) => {
                write!(out, "{}(", name.text)?;
                list(arguments, ", ", Binding::OverKeys, out)?;
                out.write_str(")")
            }
            ExprKind::Test(inner) => write!(out, "[{inner}]"),
            ExprKind::Product(left, right) => {
                out.write_str("(")?;
                left.print(Binding::Postfix, out)?;
                out.write_str(" * ")?;
                right.print(Binding::Postfix, out)?;
                out.write_str(")")
            }
            ExprKind::Union(parts) => list(parts, " | ", Binding::Seq, out),
            ExprKind::Inter(parts) => list(parts, " & ", Binding::Postfix, out),
            ExprKind::Seq(parts) => list(parts, " ; ", Binding::Postfix, out),
            ExprKind::Diff(left, right) => {
                let chain = left.binding() == Binding::Diff;
                left.print(if chain { Binding::Diff } else { Binding::Postfix }, out)?;
                out.write_str(" \\ ")?;
                right.print(Binding::Postfix, out)
            }
            ExprKind::Postfix(inner, sign) => {
                inner.print(Binding::Postfix, out)?;
                out.write_str(sign.sign())
            }
            ExprKind::OverKeys(key, inner) => write!(out, "U {}. {inner}", key.text),
        }
    }
}

fn list(parts: &[Expr], between: &str, least: Binding, out: &mut Formatter<'_>) -> fmt::Result {
    for (position, part) in parts.iter().enumerate() {
        if position > 0 {
            out.write_str(between)?;
        }
        part.print(least, out)?;
    }
    Ok(())
}

impl Display for Expr {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.print(Binding::OverKeys, out)
    }
}

impl Display for Check {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            CheckKind::In(left, right) => write!(out, "{left} in {right}"),
            CheckKind::Of(property, expr) => write!(out, "{} {expr}", property.keyword()),
            CheckKind::Not(inner) => write!(out, "not {inner}"),
            CheckKind::All(parts) => group(parts, " and ", out),
            CheckKind::Any(parts) => group(parts, " or ", out),
            CheckKind::ForAll(key, inner) => write!(out, "forall {}. {inner}", key.text),
            CheckKind::Macro(call) => call.fmt(out),
        }
    }
}

fn group(parts: &[Check], between: &str, out: &mut Formatter<'_>) -> fmt::Result {
    let parts: Vec<String> = parts.iter().map(Check::to_string).collect();
    write!(out, "({})", parts.join(between))
}

impl Display for Body {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expr(expr) => expr.fmt(out),
            Self::Check(check) => check.fmt(out),
        }
    }
}

/// Without its doc lines.
impl Display for Let {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "let {} = {}", self.name.text, self.body)
    }
}

/// Without its doc lines.
impl Display for Def {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let params: Vec<&str> = self.params.iter().map(|param| param.text.as_str()).collect();
        write!(out, "def {}({}) = {}", self.name.text, params.join(", "), self.body)
    }
}

impl Display for WitnessClause {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let name = &self.name.text;
        match (&self.key, self.kind) {
            (Some(Word { text: key, .. }), _) => {
                write!(out, "witness {name}[{key}] : order on W[{key}]")
            }
            (None, WitnessKind::Order) => write!(out, "witness {name} : order"),
            (None, WitnessKind::Relation) => write!(out, "witness {name} : relation"),
        }
    }
}

/// Without doc lines.
impl Display for ClauseKind {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Witness(witness) => witness.fmt(out),
            Self::Let(definition) => definition.fmt(out),
            Self::Def(definition) => definition.fmt(out),
            Self::Check(check) => check.fmt(out),
            Self::Title(title) => write!(out, "title \"{}\"", title.text),
            Self::Also(aliases) => {
                let aliases: Vec<String> = aliases.iter().map(alias).collect();
                write!(out, "also {}", aliases.join(", "))
            }
            Self::Strength(word) => write!(out, "strength {}", word.text),
            Self::Reads(word) => write!(out, "reads {}", word.text),
            Self::Rejects(trace) => {
                let indent = |line: &str| if line.is_empty() { "" } else { "    " };
                let lines = trace.text.lines().map(|line| format!("{}{line}\n", indent(line)));
                write!(out, "rejects \"\"\"\n{}\"\"\"", lines.collect::<String>())
            }
        }
    }
}

fn alias(word: &Word) -> String {
    let text = word.text.as_str();
    match token::is_name(text) && !RESERVED.contains(&text) {
        true => text.to_owned(),
        false => format!("\"{text}\""),
    }
}
