//! When a message was sent and when it arrived.
//!
//! A date that cannot be is no reason to refuse a message: it is left out. So are dates from before there was
//! mail and offsets that no zone has, which programs write when they do not know better.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, TimeZone, Utc};
use mail_parser::{DateTime as Written, Message};

use super::origin::MessageOrigin;

/// Earlier dates are clocks that were not set.
const YEAR_MIN: u16 = 1971;
const YEAR_MAX: u16 = 9999;
const OFFSET_SECONDS_MAX: i32 = 14 * 3600;
/// Forms other than that of RFC 5322, in which programs write dates all the same; those without a zone are UTC.
const ZONED_FORMS: [&str; 2] = ["%Y-%m-%dT%H:%M:%S%.f%:z", "%Y-%m-%d %H:%M:%S %z"];
const BARE_FORMS: [&str; 3] = [
    "%a, %d %b %Y %H:%M:%S",
    "%d %b %Y %H:%M:%S",
    "%a %b %d %H:%M:%S %Y",
];

/// The Date header.
pub(super) fn sent_at(message: &Message<'_>) -> Option<String> {
    let written = message.date().and_then(instant);
    let instant = written.or_else(|| {
        let text = message.header_raw("Date")?.trim();
        without_seconds(text).or_else(|| other_form(text))
    });
    instant.map(format_instant)
}

/// A Date header from which nothing can be made out.
pub(super) fn unreadable(message: &Message<'_>) -> Option<String> {
    let text = message.header_raw("Date")?.trim();
    (!text.is_empty() && sent_at(message).is_none()).then(|| text.to_owned())
}

/// A time of day needs no seconds (RFC 5322).
fn without_seconds(text: &str) -> Option<DateTime<FixedOffset>> {
    let is_time = |word: &&str| {
        word.split_once(':').is_some_and(|(hour, minute)| {
            let is_number = |text: &str| {
                (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
            };
            is_number(hour) && is_number(minute)
        })
    };
    let time = text.split_whitespace().find(is_time)?;
    let whole = text.replacen(time, &format!("{time}:00"), 1);
    instant(&Written::parse_rfc822(&format!("{whole}\n"))?)
}

/// By the server that took it in last, else by what put it into its mailbox, else when it was sent.
pub(super) fn received_at(
    message: &Message<'_>,
    origin: &MessageOrigin,
    sent_at: Option<&str>,
) -> Option<String> {
    let received = message
        .received_all()
        .find_map(|received| instant(&received.date?));
    let delivered = || {
        let header = message.header_raw("Delivery-Date")?;
        instant(&Written::parse_rfc822(&format!("{}\n", header.trim()))?)
    };
    let stored = || {
        origin
            .stored_at
            .filter(|_| origin.is_delivery || sent_at.is_none())
    };
    let instant = received.or_else(delivered).or_else(stored);
    instant.map(format_instant).or(sent_at.map(str::to_owned))
}

fn instant(written: &Written) -> Option<DateTime<FixedOffset>> {
    if !(YEAR_MIN..=YEAR_MAX).contains(&written.year) {
        return None;
    }
    let day = NaiveDate::from_ymd_opt(
        i32::from(written.year),
        u32::from(written.month),
        u32::from(written.day),
    )?;
    // A leap second is the last of its minute.
    let second = if written.second == 60 {
        59
    } else {
        written.second
    };
    let local = day.and_hms_opt(
        u32::from(written.hour),
        u32::from(written.minute),
        u32::from(second),
    )?;
    let seconds = i32::from(written.tz_hour) * 3600 + i32::from(written.tz_minute) * 60;
    if seconds > OFFSET_SECONDS_MAX {
        return None;
    }
    let signed = if written.tz_before_gmt {
        -seconds
    } else {
        seconds
    };
    FixedOffset::east_opt(signed)?
        .from_local_datetime(&local)
        .single()
}

fn other_form(text: &str) -> Option<DateTime<FixedOffset>> {
    let zoned = ZONED_FORMS
        .iter()
        .find_map(|form| DateTime::parse_from_str(text, form).ok());
    let instant = zoned.or_else(|| {
        let local = BARE_FORMS
            .iter()
            .find_map(|form| NaiveDateTime::parse_from_str(text, form).ok())?;
        Some(local.and_utc().fixed_offset())
    });
    instant.filter(|instant| instant.naive_utc() >= earliest())
}

fn earliest() -> NaiveDateTime {
    NaiveDate::from_ymd_opt(i32::from(YEAR_MIN), 1, 1)
        .unwrap_or_default()
        .and_time(chrono::NaiveTime::MIN)
}

fn format_instant(instant: DateTime<FixedOffset>) -> String {
    instant
        .with_timezone(&Utc)
        .to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mail_parser::MessageParser;

    fn sent(date: &str) -> Option<String> {
        let text = format!("Date: {date}\r\nSubject: x\r\n\r\n");
        sent_at(&MessageParser::default().parse(text.as_bytes()).unwrap())
    }

    #[test]
    fn dates_are_read_and_impossible_ones_left_out() {
        let table = [
            (
                "Sat, 21 Nov 2026 06:44:56 +0100",
                Some("2026-11-21T05:44:56Z"),
            ),
            (
                "21 Nov 26 06:44:00 EST (what)",
                Some("2026-11-21T11:44:00Z"),
            ),
            (
                "Fri, 31 Dec 1999 23:59:60 +0000",
                Some("1999-12-31T23:59:59Z"),
            ),
            ("Sat, 21 Nov 2026 06:44:56", Some("2026-11-21T06:44:56Z")),
            ("Sat, 21 Nov 2026 06:44 +0100", Some("2026-11-21T05:44:00Z")),
            ("3 Feb 99 10:11 PST", Some("1999-02-03T18:11:00Z")),
            ("2026-11-21T06:44:56+01:00", Some("2026-11-21T05:44:56Z")),
            ("Mon, 30 Feb 2026 06:44:56 +0100", None),
            ("Sat, 21 Nov 2026 25:44:56 +0100", None),
            ("Sat, 21 Nov 2026 06:44:56 +2000", None),
            ("Thu, 01 Jan 1970 00:00:00 +0000", None),
            ("yesterday", None),
            ("", None),
        ];
        for (written, expected) in table {
            assert_eq!(sent(written).as_deref(), expected, "{written}");
        }
    }
}
