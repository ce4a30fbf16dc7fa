//! Numbers of weeks, in the eight ways of MySQL.
//!
//! Layer `eval`; knows the calendar.

use super::super::moment::{Moment, first_of};

/// The year and the number of a week. The bits of the mode: weeks begin on Monday; there is no week 0, so the
/// first days may belong to the year before; the first week is the one with the first Sunday or Monday in it, and
/// not the one with most of its days in the year.
pub(super) fn week(moment: &Moment, mode: i64) -> (i64, i64) {
    // With weeks that begin on Sunday, the third bit means the opposite.
    let mode = if mode & 1 == 0 { mode ^ 4 } else { mode };
    let (monday, mut in_year, first_weekday) = (mode & 1 != 0, mode & 2 != 0, mode & 4 != 0);
    let weekday = |days: i64| (days + if monday { 3 } else { 4 }).rem_euclid(7);
    let begins_late = |start: i64| if first_weekday { start != 0 } else { start >= 4 };
    let mut year = moment.date.year;
    let mut start = weekday(first_of(year, 1));
    if moment.date.month == 1 && i64::from(moment.date.day) <= 7 - start {
        if !in_year && begins_late(start) {
            return (year, 0);
        }
        in_year = true;
        year -= 1;
        start = weekday(first_of(year, 1));
    }
    let first_week = first_of(year, 1) - start + if begins_late(start) { 7 } else { 0 };
    let days = moment.days - first_week;
    if in_year && days >= 52 * 7 && !begins_late(weekday(first_of(year + 1, 1))) {
        return (year + 1, 1);
    }
    (year, days / 7 + 1)
}
