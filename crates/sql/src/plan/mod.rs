//! What is left of a statement when all names are known: numbers of columns, types, conversions.
//!
//! ```text
//!   text ──parse──► tree ──bind (catalogue)──► plan ──run (rows, choices, parameters)──► outcome
//! ```

mod expr;
mod query;
mod walk;
mod writes;

pub(crate) use expr::{Arith, CastMode, CompareOp, Expr, Field, Function, Quantifier};
pub(crate) use query::{
    Access, Aggregate, AggregateFunction, Between, Body, Grouping, Join, JoinKind, Output, Query,
    Select, SetKind, SortKey, Source,
};
pub(crate) use walk::{Visit, is_closed, rewrite, rewrite_query, rewrite_source, walk_columns};
pub(crate) use writes::{
    Assignment, Conflict, ConflictAction, Delete, Fill, Insert, InsertSource, Locate, Plan, Update,
};
