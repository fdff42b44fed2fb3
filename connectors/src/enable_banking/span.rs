//! How far back an account is asked. Days alone, as the interface counts them. Pure.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

use super::position::LinkedPosition;
use crate::limits::{LINKED_OVERLAP_DAYS, LINKED_REREAD_DAYS, LINKED_SPAN_DAYS};

/// What of the past is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BankSpan {
    /// All that the bank tells: it tells most just after the consent.
    Longest,
    /// This day and what came after.
    From(NaiveDate),
}

/// What a round asks for of an account, in this consent.
pub(super) fn wanted(position: &LinkedPosition, consent: &str, now: DateTime<Utc>) -> BankSpan {
    match position.consent.as_deref() == Some(consent) {
        false => BankSpan::Longest,
        true => BankSpan::From(usual(position, now)),
    }
}

/// Some weeks, more after a pause, as much as a bank tells of an account that was never read.
pub(super) fn usual(position: &LinkedPosition, now: DateTime<Utc>) -> NaiveDate {
    let today = now.date_naive();
    let back = |days: i64| today - TimeDelta::days(days);
    let longest = back(
        position
            .span_days
            .map_or(LINKED_SPAN_DAYS, |own| own.min(LINKED_SPAN_DAYS)),
    );
    let overlap = TimeDelta::days(LINKED_OVERLAP_DAYS);
    let read = position.read_at.map(|at| at.date_naive() - overlap);
    let reread = read.map(|day| day.min(back(LINKED_REREAD_DAYS)));
    reread.map_or(longest, |day| day.max(longest))
}

/// From when on what is pending is asked for: a bank books within days.
pub(super) fn of_pending(span: BankSpan, today: NaiveDate) -> NaiveDate {
    let recent = today - TimeDelta::days(LINKED_REREAD_DAYS);
    match span {
        BankSpan::Longest => recent,
        BankSpan::From(start) => start.max(recent),
    }
}

/// What is asked for after the bank refused `span`: from the day it names, where that was not tried, and else half of it.
pub(super) fn narrower(span: BankSpan, named: Option<NaiveDate>, today: NaiveDate) -> NaiveDate {
    let (start, otherwise) = match span {
        BankSpan::Longest => (NaiveDate::MIN, today - TimeDelta::days(LINKED_SPAN_DAYS)),
        BankSpan::From(start) => (start, today - (today - start) / 2),
    };
    let is_better = |day: &NaiveDate| *day > start && *day <= today;
    named.filter(is_better).unwrap_or(otherwise)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::days(20_000) + TimeDelta::hours(9)
    }

    fn back(days: i64) -> NaiveDate {
        now().date_naive() - TimeDelta::days(days)
    }

    #[test]
    fn most_is_asked_for_after_a_consent_and_some_weeks_then() {
        let mut position = LinkedPosition::default();
        assert_eq!(wanted(&position, "one", now()), BankSpan::Longest);
        position.consent = Some("one".to_owned());
        for (read, span_days, expected) in [
            (None, None, 89),
            (Some(0), None, 30),
            (Some(25), None, 33),
            (Some(200), None, 89),
            (Some(0), Some(20), 20),
            (Some(0), Some(400), 30),
        ] {
            position.read_at = read.map(|days| now() - TimeDelta::days(days));
            position.span_days = span_days;
            let expected = BankSpan::From(back(expected));
            assert_eq!(wanted(&position, "one", now()), expected, "{read:?}");
        }
        assert_eq!(wanted(&position, "two", now()), BankSpan::Longest);
    }

    #[test]
    fn a_refused_span_is_narrowed_to_the_day_the_bank_names_or_halved() {
        let today = now().date_naive();
        for (span, named, expected) in [
            (BankSpan::From(back(89)), Some(back(60)), back(60)),
            (BankSpan::From(back(89)), None, back(44)),
            (BankSpan::From(back(60)), Some(back(60)), back(30)),
            (BankSpan::From(back(60)), Some(back(-1)), back(30)),
            (BankSpan::Longest, Some(back(365)), back(365)),
            (BankSpan::Longest, None, back(89)),
        ] {
            assert_eq!(narrower(span, named, today), expected, "{span:?} {named:?}");
        }
    }
}
