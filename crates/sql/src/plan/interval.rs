//! Functions of PostgreSQL's intervals, and of moments with intervals.
//!
//! Layer `plan`; names of functions only.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IntervalFunction {
    /// A moment, a time of day or an interval, and an interval.
    Add,
    /// The same with a minus.
    Subtract,
    /// The time between two moments, in days and microseconds.
    Between,
    /// A day and a time of day.
    At,
    Negative,
    /// `interval * number`.
    Times,
    /// `interval / number`.
    Over,
    /// `age(moment, moment)`: in years, months and days of the calendar.
    Age,
    /// `date_bin(interval, moment, origin)`.
    Bin,
    /// `make_interval(years, months, weeks, days, hours, minutes, seconds)`.
    Make,
    MakeTime,
    JustifyDays,
    JustifyHours,
    Justify,
    /// `(a, b) OVERLAPS (c, d)`.
    Overlaps,
    /// `generate_series(moment, moment, interval)`, as an array.
    Series,
}
