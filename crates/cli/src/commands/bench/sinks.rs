//! Where measurements go: a table that grows, and files at the end.

use tristan_bench::{Report, Row, plot};

use crate::destination::{Destination, Destinations, Kind};
use crate::exit::Failure;
use crate::output::Output;

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BenchKind {
    Text,
    Json,
    Svg,
}

impl Kind for BenchKind {
    const ALL: &'static [(&'static str, Self)] =
        &[("text", Self::Text), ("json", Self::Json), ("svg", Self::Svg)];
}

/// One `-o KIND=FILE`.
pub(crate) type BenchSink = Destination<BenchKind>;

/// Writes what needs all rows.
pub(super) fn finish(
    sinks: &mut Destinations<BenchKind>,
    out: &mut Output,
    rows: &[Row],
) -> Result<(), Failure> {
    sinks.write(out, BenchKind::Json, |_| Report::new(rows).json())?;
    sinks.write(out, BenchKind::Svg, |_| plot(rows))
}
