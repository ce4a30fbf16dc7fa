//! What relations hold between: transactions, or reads, or one of each.

use super::super::error::{IsoError, IsoErrorKind};
use super::super::model::{Rel, Sort};
use super::super::syntax::Expr;
use super::{Elaborator, View};

/// A relation with what was written for it.
pub(super) type Written<'e> = (&'e Expr, Rel);

impl Elaborator<'_> {
    /// Relations that hold between the same things; the identity adapts to the others.
    pub(super) fn same_sorts(
        &self,
        operator: &'static str,
        parts: Vec<Written<'_>>,
        view: View<'_>,
    ) -> Result<Vec<Rel>, IsoError> {
        let model = parts.iter().find(|(_, rel)| !matches!(rel, Rel::Id(_))).or(parts.first());
        let Some((expr, wanted)) = model.map(|(expr, rel)| (*expr, rel.sorts())) else {
            return Ok(Vec::new());
        };
        let fitting: Vec<Written<'_>> =
            parts.into_iter().map(|(part, rel)| (part, fit(rel, wanted))).collect();
        if let Some((part, rel)) = fitting.iter().find(|(_, rel)| rel.sorts() != wanted) {
            return Err(self.sorts(operator, (expr, wanted), (part, rel.sorts()), view));
        }
        Ok(fitting.into_iter().map(|(_, rel)| rel).collect())
    }

    pub(super) fn square(
        &self,
        operator: &'static str,
        expr: &Expr,
        rel: &Rel,
        view: View<'_>,
    ) -> Result<(), IsoError> {
        let sorts = rel.sorts();
        if sorts.0 == sorts.1 {
            return Ok(());
        }
        Err(self.not_square(operator, "things of one kind", (expr, sorts), view))
    }

    pub(super) fn not_square(
        &self,
        operator: &'static str,
        needed: &'static str,
        (expr, sorts): (&Expr, (Sort, Sort)),
        view: View<'_>,
    ) -> IsoError {
        let relation = self.text(expr, view);
        let sorts = in_words(sorts);
        let mistake = IsoErrorKind::NotSquare { operator, needed, relation, sorts };
        self.wrong(expr.span, view.site, mistake)
    }

    pub(super) fn sorts(
        &self,
        operator: &'static str,
        (left, left_sorts): (&Expr, (Sort, Sort)),
        (right, right_sorts): (&Expr, (Sort, Sort)),
        view: View<'_>,
    ) -> IsoError {
        let mistake = IsoErrorKind::Sorts {
            operator,
            left: self.text(left, view),
            left_sorts: in_words(left_sorts),
            right: self.text(right, view),
            right_sorts: in_words(right_sorts),
        };
        self.wrong(right.span, view.site, mistake)
    }
}

/// The identity fits wherever something is related to its like.
pub(super) fn fit(rel: Rel, wanted: (Sort, Sort)) -> Rel {
    match rel {
        Rel::Id(_) if wanted.0 == wanted.1 => Rel::Id(wanted.0),
        other => other,
    }
}

/// What a relation holds between, in words.
fn in_words((from, to): (Sort, Sort)) -> String {
    let plural = |sort| match sort {
        Sort::Txn => "transactions",
        Sort::Read => "reads",
    };
    match from == to {
        true => format!("is between {}", plural(from)),
        false => format!("leads from {} to {}", plural(from), plural(to)),
    }
}
