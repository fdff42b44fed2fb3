//! BDAY and ANNIVERSARY in all forms that programs write, and REV.
//!
//! A birthday often has no year: `--0412`, or the year 1604 that Apple writes instead; of some people only the year
//! is known. A date that does not exist or is ambiguous is refused.

use chrono::{DateTime, NaiveDate, NaiveDateTime, SecondsFormat};

/// Years that stand for an unknown year; Apple writes 1604.
const UNKNOWN_YEARS: [i32; 2] = [1604, 0];
/// A leap year, to check whether a day without a year exists.
const LEAP_YEAR: i32 = 2000;
/// Four digits below this may be a month and a day.
const YEAR_ALONE_MIN: i32 = 1800;

/// A date of which at least one part is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CardDate {
    pub year: Option<i32>,
    pub month: Option<u32>,
    pub day: Option<u32>,
}

impl CardDate {
    /// Parses `19700714`, `1970-07-14`, `--0412`, `---12`, `1985` and `1985-04`, each with an optional time; `None` for any
    /// other text and for a date that does not exist.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let date = text.trim().split(['T', 't', ' ']).next()?;
        let (year, rest) = match date.strip_prefix("--") {
            Some(rest) => (None, rest),
            None => (Some(date.get(..4)?), date.get(4..)?),
        };
        let digits = rest.replace('-', "");
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(&digits) || !year.is_none_or(is_number) {
            return None;
        }
        let (first, second) = digits.split_at_checked(2).unwrap_or_default();
        let (month, day) = match (digits.len(), rest.starts_with('-'), year) {
            (0, false, _) => (None, None),
            (2, true, None) => (None, Some(first)),
            // Six digits without a hyphen may be `YYMMDD`.
            (2, true, Some(_)) | (2, false, None) => (Some(first), None),
            (4, ..) => (Some(first), Some(second)),
            _ => return None,
        };
        let year = year.and_then(|year| year.parse().ok());
        let known = Self {
            year: year.filter(|year| !UNKNOWN_YEARS.contains(year)),
            month: month.and_then(|month| month.parse().ok()),
            day: day.and_then(|day| day.parse().ok()),
        };
        known.exists().then_some(known)
    }

    fn exists(self) -> bool {
        let is_year = self.year.is_some_and(|year| year >= YEAR_ALONE_MIN);
        let year = self.year.unwrap_or(LEAP_YEAR);
        let (month, day) = (self.month.unwrap_or(1), self.day.unwrap_or(1));
        let is_known = self.month.is_some() || self.day.is_some() || is_year;
        is_known && NaiveDate::from_ymd_opt(year, month, day).is_some()
    }

    /// The date as `YYYY-MM-DD`; `None` if a part is not known.
    pub(super) fn date(self) -> Option<String> {
        NaiveDate::from_ymd_opt(self.year?, self.month?, self.day?).map(|date| date.to_string())
    }
}

/// REV as an RFC 3339 instant in UTC; `None` for a local time or a date.
pub(super) fn instant(text: Option<String>) -> Option<String> {
    let text = text?;
    let (moment, zone) = text
        .trim()
        .split_at_checked(text.trim().len().checked_sub(1)?)?;
    if !zone.eq_ignore_ascii_case("Z") {
        let moment = DateTime::parse_from_rfc3339(text.trim()).ok()?;
        return Some(moment.to_utc().to_rfc3339_opts(SecondsFormat::AutoSi, true));
    }
    let forms = [
        "%Y%m%dT%H%M%S",
        "%Y-%m-%dT%H:%M:%S",
        "%Y%m%dT%H%M%S%.f",
        "%Y-%m-%dT%H:%M:%S%.f",
    ];
    let moment = forms
        .iter()
        .find_map(|form| NaiveDateTime::parse_from_str(moment, form).ok())?;
    Some(
        moment
            .and_utc()
            .to_rfc3339_opts(SecondsFormat::AutoSi, true),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_in_every_form_and_only_if_they_exist() {
        let known = |year, month, day| {
            Some(CardDate {
                year: Some(year),
                month: Some(month),
                day: Some(day),
            })
        };
        let yearless = |month, day| {
            Some(CardDate {
                year: None,
                month: Some(month),
                day: Some(day),
            })
        };
        let partly = |year, month, day| Some(CardDate { year, month, day });
        let table = [
            ("19700714", known(1970, 7, 14)),
            ("1970-07-14", known(1970, 7, 14)),
            ("1970-07-14T00:00:00Z", known(1970, 7, 14)),
            ("20090808T1430-0500", known(2009, 8, 8)),
            ("--0412", yearless(4, 12)),
            ("--04-12", yearless(4, 12)),
            ("1604-04-12", yearless(4, 12)),
            ("0000-02-29", yearless(2, 29)),
            ("--0229", yearless(2, 29)),
            ("1990-02-30", None),
            ("2001-02-29", None),
            ("1985", partly(Some(1985), None, None)),
            ("1985-04", partly(Some(1985), Some(4), None)),
            ("--04", partly(None, Some(4), None)),
            ("---12", partly(None, None, Some(12))),
            ("1604", None),
            ("0412", None),
            ("198504", None),
            ("1985-13", None),
            ("---32", None),
            ("--", None),
            ("12.04.1980", None),
            ("04/12/1980", None),
            ("circa 1800", None),
            ("ééé", None),
            ("", None),
        ];
        for (text, expected) in table {
            assert_eq!(CardDate::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn a_revision_is_an_instant_or_nothing() {
        let table = [
            ("20080424T195243Z", Some("2008-04-24T19:52:43Z")),
            ("2008-04-24T19:52:43Z", Some("2008-04-24T19:52:43Z")),
            ("2008-04-24T21:52:43+02:00", Some("2008-04-24T19:52:43Z")),
            ("20080424T195243", None),
            ("2008-04-24", None),
            ("0", None),
        ];
        for (text, expected) in table {
            assert_eq!(
                instant(Some(text.to_owned())).as_deref(),
                expected,
                "{text}"
            );
        }
    }
}
