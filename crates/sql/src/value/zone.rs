//! Time zones: how far their clocks are from UTC at a moment.
//!
//! Servers read the rules of a zone from their own copy of the tz database, and copies differ in age. So a zone is
//! known here only if it has followed one rule for years, and only for the moments that this rule is certain of; for
//! all others there is no answer.
//!
//! ```text
//!   clock  01:59 ─► 03:00      in spring, the hour between does not exist
//!   clock  02:59 ─► 02:00      in autumn, it exists twice: PostgreSQL takes the second one, in standard time
//! ```

use tristan_ground::Civil;

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400;
/// Laws may change what comes later.
const LAST_YEAR: i64 = 2030;

/// A time zone whose rule is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Zone {
    /// Seconds that its clocks are ahead of UTC in standard time.
    standard: i64,
    summer: Summer,
    /// The first year in which the rule holds from beginning to end.
    since: i64,
}

/// When clocks are an hour ahead of standard time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Summer {
    Never,
    /// From the second Sunday of March to the first one of November, at two o'clock.
    America,
    /// From the last Sunday of March to the last one of October, at one o'clock in UTC.
    Europe,
    /// From the first Sunday of October to the first one of April, at two o'clock of standard time.
    Australia,
    /// From the last Sunday of September to the first one of April, at two o'clock of standard time.
    NewZealand,
}

/// Names, minutes ahead of UTC, and the first year of the rule.
type Listed = (&'static [&'static str], i64, i64);

const AMERICA: [Listed; 6] = [
    (&["america/new_york", "us/eastern", "america/toronto", "america/detroit"], -300, 2008),
    (&["america/chicago", "us/central"], -360, 2008),
    (&["america/denver", "us/mountain"], -420, 2008),
    (&["america/los_angeles", "us/pacific"], -480, 2008),
    (&["america/anchorage", "us/alaska"], -540, 2008),
    (&["america/halifax"], -240, 2008),
];

const EUROPE: [Listed; 3] = [
    (&["europe/london", "europe/dublin", "europe/lisbon"], 0, 1998),
    (
        &[
            "europe/berlin",
            "europe/paris",
            "europe/madrid",
            "europe/rome",
            "europe/vienna",
            "europe/zurich",
            "europe/amsterdam",
            "europe/brussels",
            "europe/copenhagen",
            "europe/stockholm",
            "europe/oslo",
            "europe/prague",
            "europe/budapest",
            "europe/warsaw",
            "europe/belgrade",
            "europe/luxembourg",
        ],
        60,
        1998,
    ),
    (&["europe/athens", "europe/helsinki", "europe/sofia", "europe/bucharest"], 120, 1998),
];

const FIXED: [Listed; 20] = [
    (&["america/phoenix"], -420, 1970),
    (&["pacific/honolulu"], -600, 1970),
    (&["america/bogota"], -300, 1994),
    (&["america/lima"], -300, 1995),
    (&["america/sao_paulo"], -180, 2020),
    (&["africa/lagos"], 60, 1970),
    (&["africa/johannesburg"], 120, 1970),
    (&["africa/nairobi"], 180, 1970),
    (&["europe/moscow"], 180, 2015),
    (&["europe/istanbul"], 180, 2017),
    (&["asia/dubai"], 240, 1970),
    (&["asia/kolkata", "asia/calcutta"], 330, 1970),
    (&["asia/kathmandu"], 345, 1987),
    (&["asia/bangkok", "asia/jakarta"], 420, 1970),
    (&["asia/shanghai"], 480, 1992),
    (&["asia/hong_kong", "asia/taipei"], 480, 1981),
    (&["asia/singapore"], 480, 1983),
    (&["australia/perth"], 480, 2010),
    (&["asia/tokyo", "asia/seoul"], 540, 1989),
    (&["australia/brisbane"], 600, 1993),
];

const AUSTRALIA: [Listed; 1] = [(&["australia/sydney", "australia/melbourne"], 600, 2009)];
const NEW_ZEALAND: [Listed; 1] = [(&["pacific/auckland"], 720, 2009)];

impl Zone {
    /// Coordinated universal time.
    pub const UTC: Self = Self { standard: 0, summer: Summer::Never, since: i64::MIN };

    /// The zone with this name, if its rule is known.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        if ["utc", "etc/utc", "gmt", "etc/gmt", "z", "zulu"].contains(&name.as_str()) {
            return Some(Self::UTC);
        }
        let all: [(&[Listed], Summer); 5] = [
            (&AMERICA, Summer::America),
            (&EUROPE, Summer::Europe),
            (&FIXED, Summer::Never),
            (&AUSTRALIA, Summer::Australia),
            (&NEW_ZEALAND, Summer::NewZealand),
        ];
        all.iter().find_map(|(zones, summer)| {
            let (_, minutes, since) =
                zones.iter().find(|(names, ..)| names.contains(&name.as_str()))?;
            Some(Self { standard: minutes * 60, summer: *summer, since: *since })
        })
    }

    /// A zone that is always this many seconds ahead of UTC.
    pub(crate) fn ahead(seconds: i64) -> Self {
        Self { standard: seconds, ..Self::UTC }
    }

    /// What its clocks show at a moment, in microseconds; `None` if that is not certain.
    pub(crate) fn local(self, moment: i64) -> Option<i64> {
        moment.checked_add(self.offset(moment.div_euclid(SECOND))? * SECOND)
    }

    /// The moment at which its clocks show this, in microseconds; `None` if that is not certain.
    pub(crate) fn moment(self, local: i64) -> Option<i64> {
        let seconds = local.div_euclid(SECOND);
        let (winter, summer) = (self.standard, self.standard + 3600);
        let ahead = match self.offset(seconds - winter)? == winter {
            true => winter,
            false if self.offset(seconds - summer)? == summer => summer,
            // Clocks never show this, and standard time is what they had before.
            false => winter,
        };
        local.checked_sub(ahead * SECOND)
    }

    /// Seconds ahead of UTC at a moment, in seconds since 1970.
    fn offset(self, moment: i64) -> Option<i64> {
        if self.since == i64::MIN {
            return Some(self.standard);
        }
        let year = Civil::from_days((moment + self.standard).div_euclid(DAY)).year;
        if !(self.since..=LAST_YEAR).contains(&year) {
            return None;
        }
        let two = 2 * 3600;
        let (begin, end) = match self.summer {
            Summer::Never => return Some(self.standard),
            Summer::America => {
                (self.at(sunday(year, 3, 2), two), self.at(sunday(year, 11, 1), two - 3600))
            }
            Summer::Europe => {
                (last_sunday(year, 3) * DAY + 3600, last_sunday(year, 10) * DAY + 3600)
            }
            Summer::Australia => {
                (self.at(sunday(year, 10, 1), two), self.at(sunday(year, 4, 1), two))
            }
            Summer::NewZealand => {
                (self.at(last_sunday(year, 9), two), self.at(sunday(year, 4, 1), two))
            }
        };
        // In the south, summer lasts over the end of the year.
        let summer = match begin < end {
            true => (begin..end).contains(&moment),
            false => !(end..begin).contains(&moment),
        };
        Some(self.standard + if summer { 3600 } else { 0 })
    }

    /// The moment of a time of a day in standard time.
    fn at(self, day: i64, time: i64) -> i64 {
        day * DAY + time - self.standard
    }
}

/// The day of the nth Sunday of a month.
fn sunday(year: i64, month: u32, nth: i64) -> i64 {
    let first = Civil { year, month, day: 1 }.days().unwrap_or(0);
    // 1970-01-04 was a Sunday.
    first + (3 - first).rem_euclid(7) + 7 * (nth - 1)
}

/// The day of the last Sunday of a month.
fn last_sunday(year: i64, month: u32) -> i64 {
    sunday(year, month + 1, 1) - 7
}

#[cfg(test)]
mod tests {
    use super::super::{format_timestamp, parse_timestamp};
    use super::*;

    fn read(text: &str) -> i64 {
        parse_timestamp(text).expect("a time")
    }

    #[test]
    fn knows_what_clocks_show() {
        for (zone, moment, local) in [
            ("America/New_York", "2024-03-10 06:59:59", "2024-03-10 01:59:59"),
            ("America/New_York", "2024-03-10 07:00:00", "2024-03-10 03:00:00"),
            ("America/New_York", "2024-11-03 05:59:59", "2024-11-03 01:59:59"),
            ("America/New_York", "2024-11-03 06:00:00", "2024-11-03 01:00:00"),
            ("Europe/Berlin", "2024-03-31 01:00:00", "2024-03-31 03:00:00"),
            ("Europe/Berlin", "2024-10-27 01:00:00", "2024-10-27 02:00:00"),
            ("Australia/Sydney", "2024-01-01 00:00:00", "2024-01-01 11:00:00"),
            ("Australia/Sydney", "2024-04-06 16:00:00", "2024-04-07 02:00:00"),
            ("Asia/Kolkata", "2024-01-01 00:00:00", "2024-01-01 05:30:00"),
        ] {
            let zone = Zone::named(zone).expect("a zone");
            assert_eq!(zone.local(read(moment)).map(format_timestamp).as_deref(), Some(local));
        }
        let berlin = Zone::named("europe/berlin").expect("a zone");
        assert_eq!(berlin.local(read("1990-01-01 00:00:00")), None);
    }

    #[test]
    fn takes_standard_time_where_clocks_jump() {
        let york = Zone::named("America/New_York").expect("a zone");
        for (local, moment) in [
            ("2024-03-10 02:30:00", "2024-03-10 07:30:00"),
            ("2024-11-03 01:30:00", "2024-11-03 06:30:00"),
            ("2024-07-01 00:00:00", "2024-07-01 04:00:00"),
        ] {
            assert_eq!(york.moment(read(local)).map(format_timestamp).as_deref(), Some(moment));
        }
    }
}
