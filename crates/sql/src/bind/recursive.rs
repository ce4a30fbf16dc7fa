//! WITH RECURSIVE.
//!
//! Layer `bind`; knows queries. What the server refuses in a recursive query is not supported here.

use sqlparser::ast::{self, SetExpr, SetOperator, SetQuantifier};

use crate::error::{Result, unsupported};
use crate::plan::{
    Body, Expr, Function, Join, JoinKind, LooseFunction, Output, Query, Source, Visit,
    rewrite_query,
};
use crate::types::Type;

use super::binder::Binder;
use super::chars::refuse_several_lengths;
use super::scope::Recursive;

impl Binder<'_> {
    /// A query of WITH RECURSIVE that refers to itself.
    pub(super) fn recursive(&mut self, cte: &ast::Cte) -> Result<Query> {
        let SetExpr::SetOperation { op: SetOperator::Union, set_quantifier, left, right } =
            &*cte.query.body
        else {
            return unsupported("a recursive query that is not a UNION");
        };
        let name = &cte.alias.name.value;
        let bare = cte.query.with.is_none()
            && cte.query.order_by.is_none()
            && cte.query.limit_clause.is_none()
            && cte.query.fetch.is_none()
            && cte.query.locks.is_empty();
        if !bare || mentions(left, name) || self.recursing.is_some() {
            return unsupported("this recursive query");
        }
        let all = match set_quantifier {
            SetQuantifier::All => true,
            SetQuantifier::Distinct | SetQuantifier::None => false,
            other => return unsupported(format!("UNION {other}")),
        };
        let mut base = self.set_expr(left)?;
        self.settle_base(&mut base)?;
        for (column, name) in base.output.iter_mut().zip(&cte.alias.columns) {
            column.name.clone_from(&name.name.value);
        }
        let number = self.recursions.len();
        let output = base.output.clone();
        self.recursions.push(Recursive { name: name.clone(), number, output });
        self.recursing = Some(number);
        let step = self.set_expr(right);
        self.recursing = None;
        let mut step = step?;
        let types: Vec<Type> = base.output.iter().map(|column| column.ty).collect();
        if !self.dialect.is_strictly_typed() {
            fit_step(&mut step, &types)?;
        }
        self.resolve_items(&mut step, &types)?;
        if !step.output.iter().map(|column| column.ty).eq(types.iter().copied()) {
            return unsupported("a recursive query whose parts have different types");
        }
        if !all {
            types.iter().copied().try_for_each(refuse_several_lengths)?;
        }
        check_step(&mut step, number)?;
        let collations = types.iter().map(|ty| ty.collation(self.catalog.collation())).collect();
        let output = base.output.clone();
        let (base, step) = (Box::new(base), Box::new(step));
        Ok(Query::plain(Body::Recursive { number, all, base, step, collations }, output))
    }

    /// Literals whose type nothing says are texts.
    fn settle_base(&self, base: &mut Query) -> Result<()> {
        let text = |column: &Output| match column.ty {
            Type::Unknown => Type::TEXT,
            ty => ty,
        };
        let types: Vec<Type> = base.output.iter().map(text).collect();
        self.resolve_items(base, &types)?;
        if base.output.iter().any(|column| column.ty == Type::Unknown) {
            return unsupported("a recursive query with untyped columns");
        }
        Ok(())
    }

    /// The recursive query with this name, if its step is being bound.
    pub(super) fn working(&self, name: &str) -> Option<Recursive> {
        let one = self.recursions.get(self.recursing?)?;
        one.name.eq_ignore_ascii_case(name).then(|| one.clone())
    }
}

/// In MySQL and MariaDB, the columns have the types of the first part. What does not fit them is refused when it
/// comes.
fn fit_step(step: &mut Query, types: &[Type]) -> Result<()> {
    let Body::Select(select) = &mut step.body else {
        return unsupported("a recursive query whose recursive term is not a SELECT");
    };
    if step.output.len() != types.len() || select.items.len() != types.len() {
        return unsupported("a recursive query whose parts have different columns");
    }
    for ((item, output), to) in select.items.iter_mut().zip(&mut step.output).zip(types) {
        let fits = match (output.ty, *to) {
            (Type::Int(from), Type::Int(to)) => from.unsigned == to.unsigned,
            (Type::Text { .. }, Type::Text { limit, .. }) => limit.is_some(),
            (from, to) => from == to && to.is_time(),
        };
        if !fits {
            return unsupported("a recursive query whose parts have different types");
        }
        let inner = std::mem::replace(item, Expr::null());
        let function = Function::Loose(LooseFunction::Fitting);
        *item = Expr::Call { function, result: *to, args: vec![inner] };
        output.ty = *to;
    }
    Ok(())
}

/// A step is a plain SELECT that refers to the recursive query once, in FROM.
fn check_step(step: &mut Query, number: usize) -> Result<()> {
    let mut uses_anywhere = Uses(0);
    rewrite_query(step, 0, &mut uses_anywhere);
    let Body::Select(select) = &step.body else {
        return unsupported("a recursive query whose recursive term is not a SELECT");
    };
    let plain = select.grouping.is_none() && select.windows.is_none() && step.is_plain();
    if !plain || uses_anywhere.0 != 1 || uses(&select.source, number) != Some(1) {
        return unsupported("a recursive query with a complex recursive term");
    }
    Ok(())
}

/// How often a query uses the rows of recursive queries.
struct Uses(usize);

impl Visit for Uses {
    fn visit(&mut self, _: &mut Expr, _: usize) -> bool {
        true
    }

    fn source(&mut self, source: &mut Source) {
        self.0 += usize::from(matches!(source, Source::Working { .. }));
    }
}

/// How often a source uses the recursive query; `None` if it may not be used there.
fn uses(source: &Source, number: usize) -> Option<usize> {
    match source {
        Source::Working { number: one, .. } => Some(usize::from(*one == number)),
        Source::Join(join) => {
            let Join { kind, left, right, .. } = &**join;
            let (left, right) = (uses(left, number)?, uses(right, number)?);
            match kind {
                JoinKind::Inner => Some(left + right),
                JoinKind::Left => (right == 0).then_some(left),
                JoinKind::Right => (left == 0).then_some(right),
                JoinKind::Full => (left + right == 0).then_some(0),
            }
        }
        _ => Some(0),
    }
}

/// Queries of WITH RECURSIVE may refer to later ones; that is not supported.
pub(super) fn refuse_mentions(cte: &ast::Cte, later: &[ast::Cte]) -> Result<()> {
    let name = |one: &ast::Cte| one.alias.name.value.clone();
    match later.iter().map(name).find(|name| mentions(&cte.query, name)) {
        Some(name) => unsupported(format!("a reference to {name}, which comes later")),
        None => Ok(()),
    }
}

/// Whether a name occurs in a query, for whatever reason.
pub(super) fn mentions(query: &impl ToString, name: &str) -> bool {
    let text = query.to_string().to_lowercase();
    let mut words = text.split(|one: char| !one.is_alphanumeric() && one != '_');
    words.any(|word| word == name.to_lowercase())
}
