//! What operators, functions and conversions do to values.
//!
//! Layer `eval`, above `plan` and below `bind`: binding computes constants with it before anything
//! runs, and running computes everything else. Whatever an expression looks up, such as a column or a
//! subquery, comes from an [`Environment`]; this layer knows neither rows nor the catalog.

mod arith;
mod arrays;
mod assign;
mod compare;
mod convert;
mod date_format;
mod date_functions;
mod environment;
mod expr;
mod functions;
mod json;
mod logic;
mod loose;
mod moment;
mod number_functions;
mod patterns;
mod regex;
mod string_functions;
mod text_functions;

pub(crate) use compare::compare;
pub(crate) use convert::convert;
pub(crate) use environment::{Constants, Environment};
pub(crate) use expr::{cast, eval, truth_of};
pub(crate) use logic::{and, or, truth, value_of};
pub(crate) use loose::date_parts;
