//! Carrying out plans, over rows that the caller keeps.
//!
//! A run reads through [`crate::Rows`] and leaves to [`crate::Choices`] whatever the server is free to
//! decide. It changes nothing: what a statement does comes out as a list of effects. Given the same
//! answers of both, a run always does the same.
//!
//! Layer `run`, above `bind`. It computes with `eval`, and knows what a routine looks like, but not how
//! one is run: that is asked of [`Routines`], which the layer above implements.

mod after;
mod aggregate;
mod below;
mod call;
mod cascade;
mod collect;
mod conditions;
mod constraints;
mod deferred;
mod delete;
mod displayed;
mod eval;
mod filled;
mod firing;
mod first_error;
mod first_rows;
mod forced;
mod frame;
mod insert;
mod instead;
mod locked;
mod looks;
mod merge;
mod misshapen;
mod numbers;
mod order;
mod overlay;
mod parents;
mod passed_by;
mod query;
mod reach;
mod rebuild;
mod recursive;
mod region;
mod series;
mod shown;
mod source;
mod state;
mod statement;
mod stored;
mod string_agg;
mod subquery;
mod trigger;
mod unnest;
mod unsure;
mod untold;
mod update;
mod window;
mod window_frame;

pub use displayed::Displayed;
pub(crate) use displayed::{displayed, ruled_out};
pub(crate) use filled::filled;
pub(crate) use firing::Firing;
pub(crate) use frame::Frame;
pub(crate) use locked::looks_again;
pub(crate) use looks::surely_looks;
pub use misshapen::Misshapen;
pub(crate) use misshapen::misshapen;
pub(crate) use reach::Outline;
pub use reach::Reach;
pub use region::Region;
pub(crate) use shown::{shown_numbers, shown_value};
pub(crate) use state::{Called, Memo, Routines, Run};
pub use stored::Stored;
pub(crate) use stored::stored;
pub(crate) use unsure::unsure_columns;
