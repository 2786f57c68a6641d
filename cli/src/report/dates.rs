//! Days, as suppressions end on one.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Date {
    year: u32,
    month: u8,
    day: u8,
}

impl Date {
    /// A day that its writer has checked.
    pub fn new(year: u32, month: u8, day: u8) -> Self {
        Self { year, month, day }
    }

    /// Today in UTC.
    pub fn today() -> Self {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Self::of_days(seconds / 86_400)
    }

    /// The day so many days after the first one of 1970.
    fn of_days(mut days: u64) -> Self {
        let mut year = 1970;
        while days >= length_of_year(year) {
            days -= length_of_year(year);
            year += 1;
        }
        let mut month = 1;
        while days >= length_of_month(year, month) {
            days -= length_of_month(year, month);
            month += 1;
        }
        Self { year, month, day: days as u8 + 1 }
    }
}

fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400)
}

fn length_of_year(year: u32) -> u64 {
    if is_leap(year) { 366 } else { 365 }
}

fn length_of_month(year: u32, month: u8) -> u64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Days since 1970 by `date -ud DAY +%s`.
    #[test]
    fn days_have_their_names() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (789, "1972-02-29"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_819, "2027-01-01"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(Date::of_days(days).to_string(), expected);
        }
        assert!(Date::today() > Date::new(2026, 1, 1));
    }
}
