//! GROUPING SETS, ROLLUP and CUBE.
//!
//! ```text
//!   GROUP BY a, ROLLUP (b, c)      ──►   sets (a, b, c), (a, b), (a)
//! ```
//!
//! Layer `bind`; knows how a key of GROUP BY is bound.

use sqlparser::ast;

use crate::error::{Result, unsupported};
use crate::plan::{Expr, Grouping};
use crate::types::Type;

use super::binder::{Binder, Typed};
use super::items::Item;

/// The keys of a query with groups, and the sets of them that are grouped by.
pub(super) type Keys = (Vec<Typed>, Option<Vec<Vec<usize>>>);

/// More sets, or keys, are refused.
const MOST_SETS: usize = 64;
const MOST_KEYS: usize = 30;

impl Binder<'_> {
    pub(super) fn grouping_sets(&mut self, exprs: &[ast::Expr], items: &[Item]) -> Result<Keys> {
        let mut sets: Vec<Vec<ast::Expr>> = vec![Vec::new()];
        for expr in exprs {
            let next = sets_of(expr)?;
            let both = |set: &Vec<ast::Expr>| -> Vec<Vec<ast::Expr>> {
                next.iter().map(|more| [&set[..], &more[..]].concat()).collect()
            };
            sets = sets.iter().flat_map(both).collect();
            if sets.len() > MOST_SETS {
                return unsupported("this many grouping sets");
            }
        }
        let mut keys: Vec<Typed> = Vec::new();
        let mut numbered = Vec::new();
        for set in &sets {
            let mut numbers: Vec<usize> = Vec::new();
            for expr in set {
                let number = self.set_key(&mut keys, expr, items)?;
                if !numbers.contains(&number) {
                    numbers.push(number);
                }
            }
            numbered.push(numbers);
        }
        if keys.len() > MOST_KEYS {
            return unsupported("this many keys of grouping sets");
        }
        keys.push((Expr::Grouping(Vec::new()), Type::INT4));
        Ok((keys, Some(numbered)))
    }

    /// The number of a key, which may be known already.
    fn set_key(
        &mut self,
        keys: &mut Vec<Typed>,
        expr: &ast::Expr,
        items: &[Item],
    ) -> Result<usize> {
        if has_sets(expr) || matches!(expr, ast::Expr::Tuple(_)) {
            return unsupported("grouping sets inside each other");
        }
        let key = self.group_key(expr, items)?;
        if matches!(key.0, Expr::Const(_) | Expr::Param { .. }) {
            return unsupported("grouping sets of constants");
        }
        Ok(keys.iter().position(|one| one.0 == key.0).unwrap_or_else(|| {
            keys.push(key);
            keys.len() - 1
        }))
    }

    /// `GROUPING(a, b)`.
    pub(super) fn grouping_call(&mut self, args: &[ast::Expr]) -> Result<Typed> {
        if args.is_empty() || args.len() > MOST_KEYS {
            return unsupported("GROUPING() with this many arguments");
        }
        let aggregates = self.aggregates.take();
        let bound = args.iter().map(|arg| self.expr(arg)).collect::<Result<Vec<_>>>();
        self.aggregates = aggregates;
        let mut keys = Vec::new();
        for arg in bound? {
            let (key, _) = self.settle(arg);
            keys.push(self.fold(key));
        }
        Ok((Expr::Grouping(keys), Type::INT4))
    }
}

/// Whether an element of GROUP BY stands for several sets.
pub(super) fn has_sets(expr: &ast::Expr) -> bool {
    matches!(expr, ast::Expr::Rollup(_) | ast::Expr::Cube(_) | ast::Expr::GroupingSets(_))
}

/// The sets that an element of GROUP BY stands for.
fn sets_of(expr: &ast::Expr) -> Result<Vec<Vec<ast::Expr>>> {
    Ok(match expr {
        ast::Expr::Rollup(parts) => {
            (0..=parts.len()).rev().map(|length| parts[..length].concat()).collect()
        }
        ast::Expr::Cube(parts) if parts.len() <= 6 => (0..1_usize << parts.len())
            .rev()
            .map(|chosen| {
                let there = |place: &usize| chosen >> (parts.len() - 1 - place) & 1 == 1;
                (0..parts.len()).filter(there).flat_map(|place| parts[place].clone()).collect()
            })
            .collect(),
        ast::Expr::Cube(_) => return unsupported("a CUBE of this many keys"),
        ast::Expr::GroupingSets(sets) => sets.clone(),
        one => vec![vec![one.clone()]],
    })
}

/// A column that depends on the keys is not known in groups without them.
pub(super) fn refuse_shown(grouping: &Grouping) -> Result<()> {
    if grouping.sets.is_some() && !grouping.shown.is_empty() {
        return unsupported("an ungrouped column in a query with grouping sets");
    }
    Ok(())
}
