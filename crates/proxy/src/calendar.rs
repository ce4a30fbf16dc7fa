//! Days as dates.

/// The year, month and day that lies so many days after 1970-01-01, in the Gregorian calendar.
///
/// Years are counted from March on, so that the odd day comes last; 400 of them always have the
/// same number of days.
pub(crate) fn from_days(days: i64) -> (i64, i64, i64) {
    const DAYS_OF_400_YEARS: i64 = 146_097;
    /// From the first of March of the year 0 to 1970.
    const BEFORE_1970: i64 = 719_468;
    let days = days.saturating_add(BEFORE_1970);
    let (era, day) = (days.div_euclid(DAYS_OF_400_YEARS), days.rem_euclid(DAYS_OF_400_YEARS));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Five months from March on have 153 days, and so have the next five.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (year + era * 400 + next, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_days() {
        for (days, date) in [
            (0, (1970, 1, 1)),
            (10_957, (2000, 1, 1)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (-1, (1969, 12, 31)),
            (47_540, (2100, 2, 28)),
            (47_541, (2100, 3, 1)),
        ] {
            assert_eq!(from_days(days), date, "{days}");
        }
    }
}
