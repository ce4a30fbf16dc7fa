//! Days and dates of the Gregorian calendar, extended to all years.
//!
//! Years are counted from March on, so that a leap day is the last day of its year, and in eras of 400
//! years, which all have the same number of days. No library is used, because the dates of PostgreSQL
//! reach the year 5874897, which is beyond the range of the usual libraries.

/// Days of 400 years.
const ERA: i64 = 146_097;
/// Days from the first of March of the year 0 to 1970.
const BEFORE_1970: i64 = 719_468;

/// A date. The year before 1 is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Civil {
    /// The year, as astronomers count.
    pub year: i64,
    /// From 1.
    pub month: u32,
    /// From 1.
    pub day: u32,
}

impl Civil {
    /// The date that lies this many days after 1970-01-01.
    pub fn from_days(days: i64) -> Self {
        let days = days.saturating_add(BEFORE_1970);
        let (era, day) = (days.div_euclid(ERA), days.rem_euclid(ERA));
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        // Five months from March on have 153 days, and so have the next five.
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
        Self { year: year + era * 400 + next, month: month as u32, day: day as u32 }
    }

    /// How many days after 1970-01-01 it is; `None` if there is no such date.
    pub fn days(self) -> Option<i64> {
        let Self { year, month, day } = self;
        if !(1..=days_in_month(year, month)).contains(&day) {
            return None;
        }
        let (month, day) = (i64::from(month), i64::from(day));
        let year = if month <= 2 { year.checked_sub(1)? } else { year };
        let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        let year_of_era = year.rem_euclid(400);
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        year.div_euclid(400).checked_mul(ERA)?.checked_add(day_of_era - BEFORE_1970)
    }
}

/// How many days a month has; 0 if there is no such month.
pub fn days_in_month(year: i64, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        1..=12 => 31,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_days() {
        for (days, (year, month, day)) in [
            (0, (1970, 1, 1)),
            (10_957, (2000, 1, 1)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (-1, (1969, 12, 31)),
            (47_540, (2100, 2, 28)),
            (47_541, (2100, 3, 1)),
            (-719_529, (-1, 12, 31)),
        ] {
            let date = Civil { year, month, day };
            assert_eq!((Civil::from_days(days), date.days()), (date, Some(days)), "{days}");
        }
    }

    /// Day after day, without the arithmetic of eras.
    #[test]
    fn days_follow_each_other() {
        let mut date = Civil { year: -400, month: 1, day: 1 };
        let start = date.days().expect("a date");
        for days in start..start + 3 * ERA {
            assert_eq!((Civil::from_days(days), date.days()), (date, Some(days)));
            date.day += 1;
            if date.day > days_in_month(date.year, date.month) {
                date = Civil { day: 1, month: date.month + 1, ..date };
            }
            if date.month > 12 {
                date = Civil { year: date.year + 1, month: 1, day: 1 };
            }
        }
    }

    #[test]
    fn what_is_no_date_has_no_day() {
        for (month, day) in [(0, 1), (13, 1), (2, 30), (4, 31), (1, 0), (1, 32)] {
            assert_eq!(Civil { year: 2024, month, day }.days(), None, "{month} {day}");
        }
        assert_eq!(Civil { year: i64::MAX, month: 1, day: 1 }.days(), None);
        assert!(Civil::from_days(i64::MAX).year > 9999);
    }
}
