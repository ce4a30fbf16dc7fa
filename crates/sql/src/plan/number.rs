//! Gives every node of a plan its id.
//!
//! Layer `plan`; knows the tree and how to walk it. This is done when a plan is complete: binding
//! compares expressions, copies conditions to where they may be evaluated early, and copies queries of
//! WITH to where they are used, and each copy is a node of its own.

use super::id::NodeIds;
use super::statement::{Locate, Plan};
use super::tree::{Body, Expr, Query, Source, WindowFunction};
use super::walk::{Visit, rewrite, rewrite_plan};

/// Numbers all nodes of a plan.
pub(crate) fn number_plan(ids: &mut NodeIds, plan: &mut Plan) {
    rewrite_plan(plan, ids);
}

/// Numbers all nodes of an expression that stands alone.
pub(crate) fn number_expr(ids: &mut NodeIds, expr: &mut Expr) {
    rewrite(expr, 0, ids);
}

impl Visit for NodeIds {
    fn visit(&mut self, _expr: &mut Expr, _depth: usize) -> bool {
        true
    }

    fn query(&mut self, query: &mut Query) {
        query.id = self.next();
        if let Body::Select(select) = &mut query.body {
            select.id = self.next();
            let grouping = select.grouping.iter_mut();
            let aggregates = grouping.flat_map(|grouping| &mut grouping.aggregates);
            aggregates.for_each(|aggregate| aggregate.id = self.next());
            let windowing = select.windows.iter_mut();
            for window in windowing.flat_map(|windowing| &mut windowing.windows) {
                if let WindowFunction::Aggregate(aggregate) = &mut window.function {
                    aggregate.id = self.next();
                }
            }
        }
    }

    fn source(&mut self, source: &mut Source) {
        match source {
            Source::Table { id, .. } => *id = self.next(),
            Source::Join(join) => join.id = self.next(),
            Source::Nothing
            | Source::Derived { .. }
            | Source::Series { .. }
            | Source::Unnest { .. }
            | Source::Called { .. }
            | Source::Working { .. } => {}
        }
    }

    fn locate(&mut self, locate: &mut Locate) {
        locate.id = self.next();
    }
}
