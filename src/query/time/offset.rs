//! The offset of a relative time: `-90d`, `+6h`, `+2mo`.

use chrono::{Days, Months, NaiveDate};

/// The most digits of the number.
const DIGITS_MAX: usize = 6;

/// A unit: `h`, `d`, `w`, `mo`, `y`.
#[derive(Clone, Copy)]
pub(super) enum Unit {
    Hours,
    Days,
    Weeks,
    Months,
    Years,
}

/// A number of units, forward or back.
#[derive(Clone, Copy)]
pub(super) struct RelativeOffset {
    pub(super) count: i64,
    pub(super) unit: Unit,
}

impl RelativeOffset {
    /// Reads `-90d` or `+6h`; an empty text is no offset.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self {
                count: 0,
                unit: Unit::Days,
            });
        }
        let (sign, rest) = text.split_at_checked(1)?;
        let end = rest.find(|letter: char| !letter.is_ascii_digit())?;
        let (digits, unit) = rest.split_at_checked(end)?;
        if digits.len() > DIGITS_MAX {
            return None;
        }
        let count: i64 = digits.parse().ok()?;
        Some(Self {
            count: if sign == "-" { -count } else { count },
            unit: Unit::parse(unit)?,
        })
    }

    /// The day this far from `day`; `None` for hours.
    pub(super) fn add_to(self, day: NaiveDate) -> Option<NaiveDate> {
        let count = self.count.unsigned_abs();
        let months = |each: u64| Some(Months::new(u32::try_from(count * each).ok()?));
        let forward = self.count >= 0;
        match self.unit {
            Unit::Hours => None,
            Unit::Days => shift_days(day, count, forward),
            Unit::Weeks => shift_days(day, count * 7, forward),
            Unit::Months => shift_months(day, months(1)?, forward),
            Unit::Years => shift_months(day, months(12)?, forward),
        }
    }
}

impl Unit {
    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "h" => Unit::Hours,
            "d" => Unit::Days,
            "w" => Unit::Weeks,
            "mo" => Unit::Months,
            "y" => Unit::Years,
            _ => return None,
        })
    }
}

fn shift_days(day: NaiveDate, count: u64, forward: bool) -> Option<NaiveDate> {
    if forward {
        day.checked_add_days(Days::new(count))
    } else {
        day.checked_sub_days(Days::new(count))
    }
}

fn shift_months(day: NaiveDate, months: Months, forward: bool) -> Option<NaiveDate> {
    if forward {
        day.checked_add_months(months)
    } else {
        day.checked_sub_months(months)
    }
}
