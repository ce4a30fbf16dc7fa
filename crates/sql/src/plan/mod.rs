//! What is left of a statement when all names are known: numbers of columns, types, conversions.
//!
//! ```text
//!   text ──parse──► tree ──bind (catalog)──► plan ──run (rows, choices, parameters)──► outcome
//! ```
//!
//! Layer `plan`, the first above the ground. A plan names tables and columns by number, so it needs no
//! catalog; the catalog, one layer up, keeps the CHECKs and DEFAULTs of its tables as expressions of a
//! plan, bound when the table was made, as servers do.

mod aggregate;
mod array;
mod bytes;
mod failing;
mod id;
mod interval;
mod json;
mod loose;
mod network;
mod number;
mod operator;
mod range;
mod scalar;
mod statement;
mod tree;
mod walk;
mod window;

pub(crate) use aggregate::{Collect, OrderedSet, Statistic};
pub(crate) use array::ArrayFunction;
pub(crate) use bytes::BytesFunction;
pub(crate) use failing::may_fail;
pub(crate) use id::{NodeId, NodeIds};
pub(crate) use interval::IntervalFunction;
pub(crate) use json::JsonFunction;
pub(crate) use loose::{
    Logarithm, LooseFunction, LooseJson, LooseMoment, LooseNumber, LooseText, Unit,
};
pub(crate) use network::NetworkFunction;
pub(crate) use number::{number_expr, number_plan};
pub(crate) use operator::{
    AggregateFunction, Arith, CastMode, CompareOp, FrameExclusion, FrameUnit, Function, JoinKind,
    Quantifier, SetKind,
};
pub(crate) use range::RangeFunction;
pub(crate) use scalar::{DateFunction, Inexact, NumberFunction, PatternFunction, StringFunction};
pub(crate) use statement::{
    Assignment, ConflictAction, Delete, Fill, Insert, InsertSource, Locate, Merge, MergeAction,
    MergeClause, OnConflict, Plan, Rebuild, Update, WriteCheck,
};
pub(crate) use tree::{
    Access, Aggregate, Between, Body, Expr, FrameBound, Grouping, Join, NumberCall, Output, Query,
    Select, SortKey, Source, Window, WindowFrame, WindowFunction, Windowing,
};
pub(crate) use walk::{
    Visit, is_closed, rewrite, rewrite_plan, rewrite_query, rewrite_source, walk_columns,
};
