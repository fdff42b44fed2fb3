//! `:61:`, the one field that all banks write alike: days, mark, amount, kind and references.

use chrono::{Datelike as _, NaiveDate};
use serde_json::Number;

use crate::entry::quoted;

/// Years from here on are of the last century.
const CENTURY_TURN: i32 = 80;
/// Every month has so many days, and none has more than the other.
const DAYS_OF_ALL_MONTHS: u32 = 28;
const DAYS_MAX: u32 = 31;
/// What stands where a reference would, if there is none.
const NO_REFERENCE: &str = "NONREF";

/// What `:61:` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mt940Booking {
    pub booked_on: NaiveDate,
    pub value_on: NaiveDate,
    /// Negative is money out.
    pub amount: Number,
    /// Announced, and not booked yet (MT942).
    pub is_expected: bool,
    /// As `NTRF`: `N`, `S` or `F`, and the kind of transaction.
    pub kind: Option<String>,
    /// The reference of who began it.
    pub reference: Option<String>,
    /// What the bank adds on the next line.
    pub supplement: Option<String>,
}

/// Reads the text of a `:61:`.
///
/// # Errors
/// What cannot be read, as a sentence.
pub(super) fn booking(text: &str) -> Result<Mt940Booking, String> {
    let (line, supplement) = text.split_once('\n').unwrap_or((text, ""));
    let refused = |what: &str| format!("{} {what}", quoted(line));
    let (value, rest) = take(line.trim(), 6).ok_or_else(|| refused("is too short"))?;
    let value_on = day(value).ok_or_else(|| refused("begins with no day that exists"))?;
    // Some banks fill the place of a booking day with spaces.
    let (booked_on, rest) = entry_day(rest.trim_start(), value_on)
        .ok_or_else(|| refused("has a booking day that does not exist"))?;
    let (mark, rest) =
        mark(rest).ok_or_else(|| refused("does not say whether money came or went"))?;
    // The third letter of the currency, with some banks.
    let rest = rest
        .strip_prefix(|letter: char| letter.is_ascii_alphabetic())
        .unwrap_or(rest);
    let end = rest
        .find(|character: char| !character.is_ascii_digit() && character != ',')
        .unwrap_or(rest.len());
    let (written, rest) = rest
        .split_at_checked(end)
        .ok_or_else(|| refused("has no amount"))?;
    // What goes on with another sign is no whole amount: `1.000,00` is not one.
    let is_whole = rest.is_empty() || rest.starts_with(|sign: char| !sign.is_ascii_punctuation());
    let amount = amount(written, mark.is_out).filter(|_| is_whole);
    let amount = amount.ok_or_else(|| refused("has no amount"))?;
    let (kind, rest) = kind(rest);
    let own = rest.split_once("//").map_or(rest, |(own, _)| own).trim();
    Ok(Mt940Booking {
        booked_on,
        value_on,
        amount,
        is_expected: mark.is_expected,
        kind: kind.map(str::to_owned),
        reference: Some(own)
            .filter(|own| !own.is_empty() && *own != NO_REFERENCE)
            .map(str::to_owned),
        supplement: Some(supplement.replace('\n', " ").trim().to_owned())
            .filter(|supplement| !supplement.is_empty()),
    })
}

struct Mark {
    is_out: bool,
    is_expected: bool,
}

/// `C` or `D`; the reversal of one (`RC`, `RD`) moves money the other way.
fn mark(text: &str) -> Option<(Mark, &str)> {
    const MARKS: [(&str, bool, bool); 6] = [
        ("RC", true, false),
        ("RD", false, false),
        ("EC", false, true),
        ("ED", true, true),
        ("C", false, false),
        ("D", true, false),
    ];
    MARKS.iter().find_map(|(written, is_out, is_expected)| {
        let mark = Mark {
            is_out: *is_out,
            is_expected: *is_expected,
        };
        Some((mark, text.strip_prefix(written)?))
    })
}

/// The booking day has no year: the nearest to the value day is meant.
fn entry_day(text: &str, value_on: NaiveDate) -> Option<(NaiveDate, &str)> {
    let Some((written, rest)) = take(text, 4).filter(|(written, _)| is_digits(written)) else {
        return Some((value_on, text));
    };
    let (month, day) = take(written, 2)?;
    let (month, day) = (month.parse().ok()?, day.parse().ok()?);
    let years = [value_on.year() - 1, value_on.year(), value_on.year() + 1];
    let days = years.iter().filter_map(|year| day_of(*year, month, day));
    let nearest = days.min_by_key(|day| (*day - value_on).num_days().abs())?;
    Some((nearest, rest))
}

/// One letter and the kind of transaction; some banks leave them out.
fn kind(text: &str) -> (Option<&str>, &str) {
    let taken = take(text, 4).filter(|(kind, _)| {
        let mut bytes = kind.bytes();
        bytes
            .next()
            .is_some_and(|first| matches!(first, b'N' | b'S' | b'F'))
            && bytes.all(|byte| byte.is_ascii_alphanumeric())
    });
    taken.map_or((None, text), |(kind, rest)| (Some(kind), rest))
}

/// `YYMMDD`.
pub(super) fn day(text: &str) -> Option<NaiveDate> {
    let (year, rest) = take(text, 2).filter(|_| is_digits(text))?;
    let (month, day) = take(rest, 2)?;
    let year: i32 = year.parse().ok()?;
    let century = if year >= CENTURY_TURN { 1900 } else { 2000 };
    day_of(century + year, month.parse().ok()?, day.parse().ok()?)
}

/// Banks that count thirty days a month write a 30th of February: what a month is too short for is its last day.
fn day_of(year: i32, month: u32, day: u32) -> Option<NaiveDate> {
    let mut nearest = (day.min(DAYS_OF_ALL_MONTHS)..=day).rev();
    let is_of_calendar = day <= DAYS_MAX;
    is_of_calendar.then(|| nearest.find_map(|day| NaiveDate::from_ymd_opt(year, month, day)))?
}

/// Digits with one comma, negative for a debit. The digits stay as they are written.
pub(super) fn amount(text: &str, is_out: bool) -> Option<Number> {
    let (whole, decimals) = text.split_once(',').unwrap_or((text, ""));
    if whole.is_empty() && decimals.is_empty() || !is_digits(whole) || !is_digits(decimals) {
        return None;
    }
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    let point = if decimals.is_empty() { "" } else { "." };
    let is_zero = whole == "0" && decimals.bytes().all(|digit| digit == b'0');
    let sign = if is_out && !is_zero { "-" } else { "" };
    format!("{sign}{whole}{point}{decimals}").parse().ok()
}

/// The first bytes of a text and the rest.
pub(super) fn take(text: &str, bytes: usize) -> Option<(&str, &str)> {
    text.split_at_checked(bytes)
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> (String, String, String) {
        let own = booking(text).unwrap();
        (
            own.booked_on.to_string(),
            own.value_on.to_string(),
            own.amount.to_string(),
        )
    }

    #[test]
    fn days_marks_and_amounts_are_read_as_banks_write_them() {
        for (text, booked, value, amount) in [
            (
                "2601020102D12,5NMSCNONREF",
                "2026-01-02",
                "2026-01-02",
                "-12.5",
            ),
            (
                "260102C1000,NTRFabc//B1",
                "2026-01-02",
                "2026-01-02",
                "1000",
            ),
            ("2512310102CR7,00NTRF", "2026-01-02", "2025-12-31", "7.00"),
            ("2601021231DR7,00NTRF", "2025-12-31", "2026-01-02", "-7.00"),
            ("260102RC3,NCHGx", "2026-01-02", "2026-01-02", "-3"),
            ("260102RD3,", "2026-01-02", "2026-01-02", "3"),
            ("260102    DD3,NMSC", "2026-01-02", "2026-01-02", "-3"),
            ("1602300301C1,NMSC", "2016-03-01", "2016-02-29", "1"),
        ] {
            let expected = (booked.to_owned(), value.to_owned(), amount.to_owned());
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn references_and_the_next_line_are_told_apart() {
        let own = booking("260102C1,NTRFE2E-7//BANK-9\nmore of it").unwrap();
        assert_eq!(own.kind.as_deref(), Some("NTRF"));
        assert_eq!(own.reference.as_deref(), Some("E2E-7"));
        assert_eq!(own.supplement.as_deref(), Some("more of it"));
        let own = booking("260102EC1,NTRFNONREF").unwrap();
        assert_eq!((own.reference, own.supplement), (None, None));
        assert!(own.is_expected);
    }

    #[test]
    fn what_is_no_booking_is_refused_with_what_was_written() {
        for (text, why) in [
            ("26", "too short"),
            ("261302C1,", "no day that exists"),
            ("2601029999C1,", "booking day that does not exist"),
            ("2601320102C1,", "no day that exists"),
            ("260102X1,", "came or went"),
            ("260102C,", "no amount"),
            ("260102CNTRF", "no amount"),
            ("260102C1.000,00NTRF", "no amount"),
            ("260102C1,000.00NTRF", "no amount"),
        ] {
            let said = booking(text).unwrap_err();
            assert!(said.contains(why) && said.contains(text), "{said}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,40}") {
            let _ = booking(&text);
            let _ = booking(&format!("260102C{text}"));
        }

        #[test]
        fn an_amount_comes_back(whole in 0_u64..1_000_000_000, cents in 0_u8..100, is_out: bool) {
            let read = booking(&format!("260102{}{whole},{cents:02}NTRF", if is_out { "D" } else { "C" })).unwrap();
            let sign = if is_out && (whole > 0 || cents > 0) { "-" } else { "" };
            prop_assert_eq!(read.amount.to_string(), format!("{sign}{whole}.{cents:02}"));
        }
    }
}
