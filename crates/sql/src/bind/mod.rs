//! From a parsed statement to a plan: names become numbers of columns, types are settled, and
//! conversions that the server makes silently become visible.
//!
//! Layer `bind`, above `eval`, with which it computes constants. It knows the catalog and the syntax
//! tree, and no rows.

mod aggregates;
mod alone;
mod alter;
mod alter_columns;
mod array_functions;
mod arrays;
mod binder;
mod byte_functions;
mod casts;
mod changes;
mod chars;
mod collations;
mod collect;
mod columns;
mod conflict;
mod date_functions;
mod define;
mod doubt;
mod draft;
mod expr;
mod filter;
mod fold;
mod from;
mod functions;
mod grouping;
mod grouping_sets;
mod insert;
mod intervals;
mod items;
mod json;
mod json_aggregates;
mod json_functions;
mod literal;
mod logarithms;
mod loose;
mod loose_functions;
mod loose_json;
mod loose_moments;
mod names;
mod numbers;
mod numeric_functions;
mod operators;
mod order;
mod parts;
mod patterns;
mod predicates;
mod query;
mod recursive;
mod reduce;
mod row_order;
mod scope;
mod select;
mod series;
mod several;
mod specials;
mod statement;
mod strict;
mod strict_functions;
mod string_agg;
mod subquery;
mod table_functions;
mod text_functions;
mod type_names;
mod view;
mod windows;
mod writes;

pub(crate) use binder::Binder;
pub(crate) use define::define;
