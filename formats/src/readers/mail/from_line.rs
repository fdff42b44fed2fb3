//! The line `From sender date` that begins a message in a mailbox file (RFC 4155).
//!
//! `From ` also begins sentences. A separator has a time of day and a year, as `ctime` writes them, or nothing
//! at all, as newer programs do, and is followed by a header.

use chrono::{DateTime, FixedOffset, NaiveDateTime, TimeZone};
use chrono_tz::Tz;

use crate::readers::Options;

pub(super) const FROM: &[u8] = b"From ";
/// What stands in place of a sender where the line says when the program wrote it, not when the mail came.
const NO_SENDER: &str = "-";
/// What a message in a mailbox may begin with: other words with a colon stand in texts, too.
const FIRST_HEADERS: [&str; 16] = [
    "return-path",
    "received",
    "delivered-to",
    "x-original-to",
    "x-mozilla-status",
    "x-gm-thrid",
    "x-gmail-labels",
    "authentication-results",
    "dkim-signature",
    "message-id",
    "mime-version",
    "date",
    "from",
    "to",
    "subject",
    "status",
];

/// A parsed separator.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct FromLine {
    /// Whether it names a sender, so that its time is that of the delivery.
    pub has_sender: bool,
    date: String,
}

impl FromLine {
    /// The first line of a mailbox, which is read less strictly: nothing else can begin a mailbox.
    pub(super) fn parse_first(line: &[u8]) -> Option<Self> {
        Some(Self::parse_rest(line.strip_prefix(FROM)?))
    }

    /// Parses a line that begins a message; `behind` is the text after it.
    pub(super) fn parse_separator(line: &[u8], behind: &[u8]) -> Option<Self> {
        let rest = line.strip_prefix(FROM)?;
        let next = behind.split(|byte| *byte == b'\n').next()?;
        let is_followed = is_header_line(next) || next.starts_with(b">From ");
        let is_separator = match has_date(rest) {
            true => is_followed || next.trim_ascii().is_empty(),
            false => is_followed && rest.trim_ascii().is_empty(),
        };
        is_separator.then(|| Self::parse_rest(rest))
    }

    /// A line that begins a message although no empty one stands before it: whole to the second, and followed by
    /// what mail begins with. Programs that quote would have quoted it in a text.
    pub(super) fn parse_strict(line: &[u8], behind: &[u8]) -> Option<Self> {
        let from = Self::parse_rest(line.strip_prefix(FROM)?);
        let next = behind.split(|byte| *byte == b'\n').next()?;
        let (name, _) = next.split_at_checked(next.iter().position(|byte| *byte == b':')?)?;
        let is_mail = FIRST_HEADERS
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known.as_bytes()));
        let is_whole = from.instant(&Options::default()).is_some();
        (is_mail && is_whole).then_some(from)
    }

    fn parse_rest(rest: &[u8]) -> Self {
        let text = String::from_utf8_lossy(rest);
        let (sender, date) = text.trim().split_once(' ').unwrap_or_default();
        Self {
            has_sender: !sender.is_empty() && sender != NO_SENDER,
            date: date.trim().to_owned(),
        }
    }

    /// When the message was put into the mailbox. A time without a zone is read in the one that the person names,
    /// else as UTC (RFC 4155).
    pub(super) fn instant(&self, options: &Options) -> Option<DateTime<FixedOffset>> {
        let mut words: Vec<&str> = self.date.split_whitespace().collect();
        // UUCP added the host that the message came through.
        if let Some(remote) = words.iter().position(|word| *word == "remote") {
            words.truncate(remote);
        }
        let date = words.join(" ");
        let zoned = ["%a %b %d %H:%M:%S %z %Y", "%a %b %d %H:%M:%S %Y %z"];
        let zoned = zoned
            .iter()
            .find_map(|format| DateTime::parse_from_str(&date, format).ok());
        zoned.or_else(|| {
            let local = NaiveDateTime::parse_from_str(&date, "%a %b %d %H:%M:%S %Y").ok()?;
            let zone = options.zone.unwrap_or(Tz::UTC);
            let instant = zone.from_local_datetime(&local).earliest()?;
            Some(instant.fixed_offset())
        })
    }
}

/// Whether there is a time of day and a year.
fn has_date(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let is_number =
        |text: &str, digits| text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_time = |word: &str| {
        let mut parts = word.split(':');
        parts.clone().count() >= 2 && parts.all(|part| is_number(part, 2))
    };
    let is_year =
        |word: &str| is_number(word, 4) && (word.starts_with("19") || word.starts_with("20"));
    text.split_whitespace().any(is_time) && text.split_whitespace().any(is_year)
}

/// Whether a line begins a header: a name of printable characters, and a colon.
fn is_header_line(line: &[u8]) -> bool {
    let name = line
        .iter()
        .take_while(|byte| byte.is_ascii_graphic() && **byte != b':');
    let name_bytes = name.count();
    name_bytes > 0 && line.get(name_bytes) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_programs_write_them() {
        let table = [
            (
                "From a@b Sat Nov 21 06:44:56 2026",
                "2026-11-21T06:44:56+00:00",
            ),
            (
                "From - Sat Nov  7 06:44:56 2026\r\n",
                "2026-11-07T06:44:56+00:00",
            ),
            (
                "From 1851@xxx Sat Nov 21 06:44:56 +0100 2026",
                "2026-11-21T06:44:56+01:00",
            ),
            (
                "From a@b Sat Nov 21 06:44:56 2026 remote from there",
                "2026-11-21T06:44:56+00:00",
            ),
        ];
        for (line, expected) in table {
            let from = FromLine::parse_first(line.as_bytes()).unwrap();
            let instant = from.instant(&Options::default()).unwrap();
            assert_eq!(instant.to_rfc3339(), expected, "{line}");
        }
        let zone = Options {
            zone: Some(Tz::Europe__Berlin),
            ..Options::default()
        };
        let from = FromLine::parse_first(b"From - Sat Nov 21 06:44:56 2026").unwrap();
        assert!(!from.has_sender);
        assert_eq!(
            from.instant(&zone).unwrap().to_rfc3339(),
            "2026-11-21T06:44:56+01:00"
        );
        assert_eq!(
            FromLine::parse_first(b"From \n").unwrap().instant(&zone),
            None
        );
    }
}
