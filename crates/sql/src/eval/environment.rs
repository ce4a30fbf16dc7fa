//! What an expression is evaluated in.
//!
//! Layer `eval`; knows plans and values.

use crate::dialect::Dialect;
use crate::error::{Result, unsupported};
use crate::plan::Expr;
use crate::value::{Collation, Value};

/// Where an expression gets what it does not compute from its own operands.
pub(crate) trait Environment {
    /// Whose SQL it is.
    fn dialect(&self) -> Dialect;

    /// How texts compare unless their column says otherwise.
    fn collation(&self) -> Collation;

    /// How two texts compare depends on a collation that is not known, and is guessed.
    fn doubt(&mut self, a: &str, b: &str);

    /// Whether the statement changes rows; MySQL is stricter then.
    fn writes(&self) -> bool;

    /// Whether something of which MySQL warns in a query is an error here.
    fn warning_fails(&mut self) -> bool;

    /// The value of an expression that looks something up: a column, a parameter, a variable, a
    /// subquery, a routine.
    fn look_up(&mut self, expr: &Expr) -> Result<Value>;
}

/// Nothing to look up: an expression without columns, before anything runs. What depends on a collation
/// that is not known is not computed here.
pub(crate) struct Constants {
    pub(crate) dialect: Dialect,
}

impl Environment for Constants {
    fn dialect(&self) -> Dialect {
        self.dialect
    }

    fn collation(&self) -> Collation {
        self.dialect.collation()
    }

    fn doubt(&mut self, _: &str, _: &str) {}

    fn writes(&self) -> bool {
        false
    }

    fn warning_fails(&mut self) -> bool {
        false
    }

    fn look_up(&mut self, _expr: &Expr) -> Result<Value> {
        unsupported("an expression that is not constant here")
    }
}
