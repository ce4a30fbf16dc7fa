//! What operators, functions and conversions do to values.
//!
//! Layer `eval`, above `plan` and below `bind`: binding computes constants with it before anything
//! runs, and running computes everything else. Whatever an expression looks up, such as a column or a
//! subquery, comes from an [`Environment`]; this layer knows neither rows nor the catalog.

mod arith;
mod array_functions;
mod arrays;
mod assign;
mod assign_special;
mod bytes;
mod compare;
mod convert;
mod convert_newer;
mod convert_special;
mod date_format;
mod date_functions;
mod environment;
mod expr;
mod extensions;
mod functions;
mod inexact;
mod interval_scale;
mod intervals;
mod json;
mod json_functions;
mod json_path;
mod json_path_reader;
mod json_set;
mod logic;
mod loose;
mod moment;
mod networks;
mod number_format;
mod number_functions;
mod patterns;
mod ranges;
mod regex;
mod string_functions;
mod text_functions;

pub(crate) use compare::compare;
pub(crate) use convert::convert;
pub(crate) use environment::{Constants, Environment};
pub(crate) use expr::{cast, eval, truth_of};
pub(crate) use logic::{and, or, truth, value_of};
pub(crate) use loose::date_parts;
pub(crate) use number_functions::root_at_scale;
