//! Which names a text uses.

use std::collections::BTreeSet;

use super::syntax::{Block, Body, Check, CheckKind, ClauseKind, Expr, ExprKind, Item};

/// Names that occur, other than as the name of what they occur in.
pub(super) type Names<'a> = BTreeSet<&'a str>;

/// The names that an item of a file uses.
pub(super) fn in_item(item: &Item) -> Names<'_> {
    match item {
        Item::Let(own) => in_expr(&own.body),
        Item::Def(own) => in_body(&own.body),
        Item::Block(block) => in_block(block),
    }
}

/// The names that a framework or level uses.
pub(super) fn in_block(block: &Block) -> Names<'_> {
    let mut names = Names::new();
    for clause in &block.clauses {
        match &clause.kind {
            ClauseKind::Let(own) => expr(&own.body, &mut names),
            ClauseKind::Def(own) => body(&own.body, &mut names),
            ClauseKind::Check(own) => check(own, &mut names),
            _ => {}
        }
    }
    names
}

/// The names that a macro's body uses.
pub(super) fn in_body(own: &Body) -> Names<'_> {
    let mut names = Names::new();
    body(own, &mut names);
    names
}

fn in_expr(own: &Expr) -> Names<'_> {
    let mut names = Names::new();
    expr(own, &mut names);
    names
}

fn body<'a>(own: &'a Body, names: &mut Names<'a>) {
    match own {
        Body::Expr(inner) => expr(inner, names),
        Body::Check(inner) => check(inner, names),
    }
}

fn check<'a>(own: &'a Check, names: &mut Names<'a>) {
    match &own.kind {
        CheckKind::In(left, right) => {
            expr(left, names);
            expr(right, names);
        }
        CheckKind::Of(_, inner) | CheckKind::Macro(inner) => expr(inner, names),
        CheckKind::Not(inner) | CheckKind::ForAll(_, inner) => check(inner, names),
        CheckKind::All(parts) | CheckKind::Any(parts) => {
            parts.iter().for_each(|part| check(part, names));
        }
    }
}

fn expr<'a>(own: &'a Expr, names: &mut Names<'a>) {
    match &own.kind {
        ExprKind::Name(name) => {
            names.insert(name);
        }
        ExprKind::Indexed(name, _) | ExprKind::Call(name, _) => {
            names.insert(&name.text);
        }
        _ => {}
    }
    own.kind.parts().for_each(|part| expr(part, names));
}
