//! Days as banks write them. `01/02/2026` is two days; which one, all dates of the file decide, or the person.

use chrono::{Datelike as _, NaiveDate};

use crate::readers::DateOrder;

/// Years of two digits below this one are of this century.
const CENTURY_TURN: i32 = 70;

/// Months by their first letters, in the six languages of titles.
const MONTHS: [&[&str]; 12] = [
    &["jan", "ene", "gen"],
    &["feb", "fév", "fev"],
    &["mar", "mär", "mrz", "maa", "mrt"],
    &["apr", "avr", "abr"],
    &["may", "mai", "mei", "mag"],
    &["jun", "juin", "giu"],
    &["jul", "juil", "lug"],
    &["aug", "aoû", "aou", "ago"],
    &["sep", "set"],
    &["oct", "okt", "ott"],
    &["nov"],
    &["dec", "dez", "déc", "dic"],
];

/// A date before its order is known.
#[derive(Debug, Clone, PartialEq, Eq)]
enum WrittenDate {
    Known(NaiveDate),
    Ambiguous([(i32, usize); 3]),
}

/// The day of a text; `None` if it is none in this order.
pub(in crate::readers) fn day(text: &str, order: DateOrder) -> Option<NaiveDate> {
    match parse_date(text)? {
        WrittenDate::Known(day) => Some(day),
        WrittenDate::Ambiguous(parts) => in_order(parts, order),
    }
}

/// Whether a text is a date in any order.
pub(in crate::readers) fn is_like_a_date(text: &str) -> bool {
    [DateOrder::Dmy, DateOrder::Mdy, DateOrder::Ymd]
        .into_iter()
        .any(|order| day(text, order).is_some())
}

fn parse_date(text: &str) -> Option<WrittenDate> {
    let text = text.trim();
    let date = text
        .split('T')
        .next()
        .filter(|date| date.len() >= 8 && date.len() < text.len())
        .unwrap_or(text);
    let parts: Vec<&str> = date
        .split(|character: char| !character.is_alphanumeric())
        .filter(|part| !part.is_empty())
        .take(3)
        .collect();
    match parts.as_slice() {
        [compact, ..] if compact.len() == 8 && is_number(compact) => {
            let day = NaiveDate::parse_from_str(compact, "%Y%m%d").ok()?;
            Some(WrittenDate::Known(day))
        }
        [first, second, third] => from_parts(first, second, third, date),
        _ => None,
    }
}

fn from_parts(first: &str, second: &str, third: &str, date: &str) -> Option<WrittenDate> {
    let number = |text: &str| is_number(text).then(|| text.parse::<i32>().ok()).flatten();
    match (number(first), number(second), number(third)) {
        (Some(one), Some(two), Some(three)) if first.len() == 4 => known_date(one, two, three),
        // No country writes the month first between points.
        (Some(one), Some(two), Some(three)) if date.contains('.') => {
            known_date(full_year(three, third.len())?, two, one)
        }
        (Some(one), Some(two), Some(three)) => Some(WrittenDate::Ambiguous([
            (one, first.len()),
            (two, second.len()),
            (three, third.len()),
        ])),
        (Some(day), None, Some(year)) => {
            known_date(full_year(year, third.len())?, month_of(second)?, day)
        }
        (None, Some(day), Some(year)) => {
            known_date(full_year(year, third.len())?, month_of(first)?, day)
        }
        _ => None,
    }
}

fn known_date(year: i32, month: i32, day: i32) -> Option<WrittenDate> {
    date_of(year, month, day).map(WrittenDate::Known)
}

fn in_order(parts: [(i32, usize); 3], order: DateOrder) -> Option<NaiveDate> {
    let [first, second, third] = parts;
    let ((year, digits), month, day) = match order {
        DateOrder::Dmy => (third, second.0, first.0),
        DateOrder::Mdy => (third, first.0, second.0),
        DateOrder::Ymd => (first, second.0, third.0),
    };
    date_of(full_year(year, digits)?, month, day)
}

fn date_of(year: i32, month: i32, day: i32) -> Option<NaiveDate> {
    let date = NaiveDate::from_ymd_opt(year, u32::try_from(month).ok()?, u32::try_from(day).ok()?)?;
    (1900..2200).contains(&date.year()).then_some(date)
}

fn full_year(year: i32, digits: usize) -> Option<i32> {
    match digits {
        4 => Some(year),
        2 if year < CENTURY_TURN => Some(2000 + year),
        2 => Some(1900 + year),
        _ => None,
    }
}

fn month_of(text: &str) -> Option<i32> {
    let text = text.to_lowercase();
    // `juin` and `juillet` begin alike; the longer beginning decides.
    let lengths = |names: &&[&str]| {
        names
            .iter()
            .filter(|name| text.starts_with(**name))
            .map(|name| name.len())
            .max()
    };
    let best = MONTHS
        .iter()
        .enumerate()
        .filter_map(|(at, names)| Some((lengths(names)?, at)))
        .max()?;
    i32::try_from(best.1 + 1).ok()
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// What all dates of a file say of their order.
#[derive(Debug, Default)]
pub(in crate::readers) struct DateEvidence {
    day_first: u64,
    month_first: u64,
    year_first: u64,
    /// Dates that are a different day in either order.
    ambiguous: u64,
}

impl DateEvidence {
    /// Counts what a date says.
    pub(in crate::readers) fn add(&mut self, text: &str) {
        let Some(WrittenDate::Ambiguous(parts)) = parse_date(text) else {
            return;
        };
        match (
            in_order(parts, DateOrder::Dmy),
            in_order(parts, DateOrder::Mdy),
        ) {
            (Some(_), None) => self.day_first += 1,
            (None, Some(_)) => self.month_first += 1,
            (Some(one), Some(other)) if one != other => self.ambiguous += 1,
            (Some(_), Some(_)) => {}
            (None, None) => self.year_first += u64::from(in_order(parts, DateOrder::Ymd).is_some()),
        }
    }

    /// What the person says holds; else the only order in which all dates exist.
    /// The order of the days of the file.
    ///
    /// # Errors
    /// A sentence, if nothing decides it.
    pub(in crate::readers) fn order(
        &self,
        option: Option<DateOrder>,
    ) -> Result<DateOrder, &'static str> {
        match (
            option,
            self.day_first,
            self.month_first,
            self.year_first,
            self.ambiguous,
        ) {
            (Some(order), ..) => Ok(order),
            (None, 0, 0, 0, 0) => Ok(DateOrder::Dmy),
            (None, 1.., 0, 0, _) => Ok(DateOrder::Dmy),
            (None, 0, 1.., 0, _) => Ok(DateOrder::Mdy),
            (None, 0, 0, 1.., 0) => Ok(DateOrder::Ymd),
            (None, 0, 0, 0, 1..) => Err(
                "its dates can be read with the day or the month first, and no date in it says which; say --date-order dmy or --date-order mdy",
            ),
            _ => Err(
                "its dates are in no single order: some exist only with the day first and others only with the month or the year first; say --date-order, and what does not fit is refused row by row",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_in_every_form() {
        let table = [
            ("31.12.2026", DateOrder::Mdy, Some("2026-12-31")),
            ("31.12.26", DateOrder::Mdy, Some("2026-12-31")),
            ("2026-12-31 10:11:12", DateOrder::Dmy, Some("2026-12-31")),
            ("2026-12-31T10:11:12Z", DateOrder::Dmy, Some("2026-12-31")),
            ("20261231", DateOrder::Dmy, Some("2026-12-31")),
            ("01/02/2026", DateOrder::Dmy, Some("2026-02-01")),
            ("01/02/2026", DateOrder::Mdy, Some("2026-01-02")),
            ("26-01-02", DateOrder::Ymd, Some("2026-01-02")),
            ("31 Dec 2026", DateOrder::Dmy, Some("2026-12-31")),
            ("Dec 31, 2026", DateOrder::Dmy, Some("2026-12-31")),
            ("3 juil. 2026", DateOrder::Dmy, Some("2026-07-03")),
            ("3 juin 2026", DateOrder::Dmy, Some("2026-06-03")),
            ("15. März 2026", DateOrder::Dmy, Some("2026-03-15")),
            ("30.02.2026", DateOrder::Dmy, None),
            ("offen", DateOrder::Dmy, None),
            ("", DateOrder::Dmy, None),
        ];
        for (text, order, expected) in table {
            assert_eq!(
                day(text, order).map(|day| day.to_string()).as_deref(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn the_order_is_what_all_dates_allow_or_is_asked_for() {
        let order = |texts: &[&str]| {
            let mut evidence = DateEvidence::default();
            texts.iter().for_each(|text| evidence.add(text));
            evidence.order(None).ok()
        };
        assert_eq!(order(&["01/02/2026", "13/02/2026"]), Some(DateOrder::Dmy));
        assert_eq!(order(&["01/02/2026", "02/13/2026"]), Some(DateOrder::Mdy));
        assert_eq!(order(&["01/02/2026", "03/04/2026"]), None);
        assert_eq!(order(&["13/02/2026", "02/13/2026"]), None);
        assert!(
            order(&["05/05/2026", "2026-01-02"]).is_some(),
            "either order gives the same days"
        );
    }
}
