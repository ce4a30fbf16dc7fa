//! Going through a plan: its expressions, also those inside subqueries, and the nodes that hold them.
//!
//! Layer `plan`; knows the tree and the statements.

use super::statement::{ConflictAction, InsertSource, Locate, OnConflict, Plan};
use super::tree::{Body, Expr, Query, Select, Source, Window};

/// What is done on the way through a plan. A closure over expressions is one, too.
pub(crate) trait Visit {
    /// Looks at an expression, `depth` queries inside the one where the walk began; says whether its parts
    /// are of interest, too.
    fn visit(&mut self, expr: &mut Expr, depth: usize) -> bool;

    /// Looks at a query, before its parts.
    fn query(&mut self, _query: &mut Query) {}

    /// Looks at a source, before its parts.
    fn source(&mut self, _source: &mut Source) {}

    /// Looks at how the rows that a statement changes are found.
    fn locate(&mut self, _locate: &mut Locate) {}
}

impl<F: FnMut(&mut Expr, usize) -> bool> Visit for F {
    fn visit(&mut self, expr: &mut Expr, depth: usize) -> bool {
        self(expr, depth)
    }
}

/// Goes through an expression and may change it.
pub(crate) fn rewrite(expr: &mut Expr, depth: usize, visit: &mut dyn Visit) {
    if !visit.visit(expr, depth) {
        return;
    }
    match expr {
        Expr::Const(_)
        | Expr::Column { .. }
        | Expr::Param { .. }
        | Expr::Local(_)
        | Expr::Session(_)
        | Expr::Open { .. }
        | Expr::Aggregate(_)
        | Expr::Window(_) => {}
        Expr::Not(inner)
        | Expr::Neg(_, inner)
        | Expr::IsNull { expr: inner, .. }
        | Expr::IsTruth { expr: inner, .. }
        | Expr::Cast { expr: inner, .. } => rewrite(inner, depth, visit),
        Expr::And(left, right)
        | Expr::Or(left, right)
        | Expr::Xor(left, right)
        | Expr::Arith { left, right, .. }
        | Expr::Compare { left, right, .. }
        | Expr::Distinct { left, right, .. }
        | Expr::Like { expr: left, pattern: right, .. } => {
            rewrite(left, depth, visit);
            rewrite(right, depth, visit);
        }
        Expr::In { list, .. } => {
            for (left, right, _) in list {
                rewrite(left, depth, visit);
                rewrite(right, depth, visit);
            }
        }
        Expr::Case { branches, otherwise } => {
            for (condition, result) in branches {
                rewrite(condition, depth, visit);
                rewrite(result, depth, visit);
            }
            rewrite(otherwise, depth, visit);
        }
        Expr::Coalesce(args)
        | Expr::Call { args, .. }
        | Expr::Routine { args, .. }
        | Expr::Number { args, .. }
        | Expr::Grouping(args) => {
            args.iter_mut().for_each(|arg| rewrite(arg, depth, visit));
        }
        Expr::Exists { query, .. } | Expr::Scalar { query, .. } => {
            rewrite_query(query, depth + 1, visit);
        }
        Expr::Quantified { left, query, .. } => {
            left.iter_mut().for_each(|arg| rewrite(arg, depth, visit));
            rewrite_query(query, depth + 1, visit);
        }
    }
}

/// Goes through the expressions of a query, which are `depth` deep.
pub(crate) fn rewrite_query(query: &mut Query, depth: usize, visit: &mut dyn Visit) {
    visit.query(query);
    match &mut query.body {
        Body::Select(select) => rewrite_select(select, depth, visit),
        Body::Set { left, right, .. } => {
            rewrite_query(left, depth, visit);
            rewrite_query(right, depth, visit);
        }
        Body::Values(rows) => {
            rows.iter_mut().flatten().for_each(|value| rewrite(value, depth, visit));
        }
        Body::Recursive { base, step, .. } => {
            rewrite_query(base, depth, visit);
            rewrite_query(step, depth, visit);
        }
    }
    query.limit.iter_mut().chain(&mut query.offset).for_each(|bound| rewrite(bound, depth, visit));
}

fn rewrite_select(select: &mut Select, depth: usize, visit: &mut dyn Visit) {
    rewrite_source(&mut select.source, depth, visit);
    select.filter.iter_mut().for_each(|part| rewrite(part, depth, visit));
    if let Some(grouping) = &mut select.grouping {
        grouping.keys.iter_mut().for_each(|(key, _)| rewrite(key, depth, visit));
        for aggregate in &mut grouping.aggregates {
            aggregate
                .args
                .iter_mut()
                .chain(&mut aggregate.filter)
                .chain(&mut aggregate.order)
                .for_each(|arg| rewrite(arg, depth, visit));
        }
    }
    let windows = select.windows.iter_mut().flat_map(|windowing| &mut windowing.windows);
    windows.flat_map(Window::exprs).for_each(|expr| rewrite(expr, depth, visit));
    select.having.iter_mut().chain(&mut select.items).for_each(|item| rewrite(item, depth, visit));
}

/// Goes through the expressions of a source, which are `depth` deep.
pub(crate) fn rewrite_source(source: &mut Source, depth: usize, visit: &mut dyn Visit) {
    visit.source(source);
    match source {
        Source::Nothing | Source::Working { .. } => {}
        Source::Series { args, .. }
        | Source::Called { args, .. }
        | Source::Unnest { arrays: args, .. } => {
            args.iter_mut().for_each(|arg| rewrite(arg, depth, visit));
        }
        Source::Table { access, filter, early, alone, .. } => {
            let parts = filter.iter_mut().chain(early).chain(alone);
            parts.for_each(|part| rewrite(part, depth, visit));
            if let Some(access) = access {
                access.values.iter_mut().for_each(|value| rewrite(value, depth, visit));
                if let Some(between) = &mut access.between {
                    rewrite(&mut between.low, depth, visit);
                    rewrite(&mut between.high, depth, visit);
                }
            }
        }
        // A derived table is one level deeper, with the sources to its left around it.
        Source::Derived { query, .. } => rewrite_query(query, depth + 1, visit),
        Source::Join(join) => {
            rewrite_source(&mut join.left, depth, visit);
            rewrite_source(&mut join.right, depth, visit);
            let parts = join.on.iter_mut().chain(&mut join.together);
            parts.for_each(|part| rewrite(part, depth, visit));
        }
    }
}

/// Goes through all expressions of a statement.
pub(crate) fn rewrite_plan(plan: &mut Plan, visit: &mut dyn Visit) {
    match plan {
        Plan::Query(query) => rewrite_query(query, 0, visit),
        Plan::Insert(insert) => {
            match &mut insert.source {
                InsertSource::Values(rows) => {
                    let values = rows.iter_mut().flatten().flatten();
                    values.for_each(|value| rewrite(value, 0, visit));
                }
                InsertSource::Query(query) => rewrite_query(query, 0, visit),
            }
            if let OnConflict::On {
                action: ConflictAction::Update { assignments, filter, .. },
                ..
            } = &mut insert.conflict
            {
                let values = assignments.iter_mut().filter_map(|one| one.value.as_mut());
                values.chain(filter).for_each(|part| rewrite(part, 0, visit));
            }
            let returning = insert.returning.iter_mut().flat_map(|(exprs, _)| exprs);
            returning.for_each(|expr| rewrite(expr, 0, visit));
        }
        Plan::Update(update) => {
            rewrite_locate(&mut update.locate, visit);
            let values = update.assignments.iter_mut().filter_map(|one| one.value.as_mut());
            let returning = update.returning.iter_mut().flat_map(|(exprs, _)| exprs);
            values.chain(returning).for_each(|part| rewrite(part, 0, visit));
        }
        Plan::Delete(delete) => {
            rewrite_locate(&mut delete.locate, visit);
            let returning = delete.returning.iter_mut().flat_map(|(exprs, _)| exprs);
            returning.for_each(|part| rewrite(part, 0, visit));
        }
        Plan::Merge(merge) => {
            rewrite_source(&mut merge.source, 0, visit);
            merge.exprs().for_each(|part| rewrite(part, 0, visit));
        }
        Plan::Truncate(..) => {}
        Plan::Rebuild(rebuild) => {
            rebuild.values.iter_mut().flatten().for_each(|value| rewrite(value, 0, visit));
        }
        Plan::Call { args, .. } => args.iter_mut().for_each(|arg| rewrite(arg, 0, visit)),
        Plan::Doubtful(_, plan) => rewrite_plan(plan, visit),
        Plan::With { changes, last } => {
            changes.iter_mut().for_each(|(_, plan)| rewrite_plan(plan, visit));
            rewrite_plan(last, visit);
        }
    }
}

fn rewrite_locate(locate: &mut Locate, visit: &mut dyn Visit) {
    visit.locate(locate);
    rewrite_source(&mut locate.source, 0, visit);
    let order = locate.order.iter_mut().map(|(key, ..)| key);
    let parts = locate.filter.iter_mut().chain(order).chain(&mut locate.limit);
    parts.for_each(|part| rewrite(part, 0, visit));
}

/// Calls `see` with every column that an expression uses, as seen from where the walk began: how many
/// queries further out it is (negative: inside a subquery), and its number.
pub(crate) fn walk_columns(expr: &mut Expr, see: &mut dyn FnMut(isize, usize)) {
    rewrite(expr, 0, &mut |part: &mut Expr, depth: usize| {
        if let Expr::Column { depth: out, index } = part {
            let out = isize::try_from(*out).unwrap_or(isize::MAX);
            see(out - isize::try_from(depth).unwrap_or(0), *index);
        }
        true
    });
}

/// Whether a query gives the same rows wherever it stands in a statement: it uses nothing of the queries
/// around it, nothing of the server's own, and no routine.
pub(crate) fn is_closed(query: &mut Query) -> bool {
    let mut seen = Surroundings::default();
    rewrite_query(query, 0, &mut seen);
    !seen.used && seen.working.iter().all(|number| seen.recursive.contains(number))
}

/// What a query needs of what is around it.
#[derive(Default)]
struct Surroundings {
    used: bool,
    /// The recursive queries whose last rows are used, and those that are inside.
    working: Vec<usize>,
    recursive: Vec<usize>,
}

impl Visit for Surroundings {
    fn visit(&mut self, expr: &mut Expr, depth: usize) -> bool {
        self.used |= match expr {
            Expr::Column { depth: out, .. } => *out > depth,
            Expr::Open { .. } | Expr::Number { .. } | Expr::Routine { .. } => true,
            _ => false,
        };
        true
    }

    fn query(&mut self, query: &mut Query) {
        if let Body::Recursive { number, .. } = &query.body {
            self.recursive.push(*number);
        }
    }

    fn source(&mut self, source: &mut Source) {
        match source {
            Source::Working { number, .. } => self.working.push(*number),
            Source::Called { .. } => self.used = true,
            _ => {}
        }
    }
}
