//! Sets of UIDs in their notation (RFC 3501, `sequence-set`): `1,4:7,9`.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

/// The notation of UIDs, in any order.
pub(super) fn write_uids(uids: &[u32]) -> String {
    let mut sorted = uids.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let mut ranges: Vec<RangeInclusive<u32>> = Vec::new();
    for uid in sorted {
        match ranges.last_mut() {
            Some(last) if last.end().checked_add(1) == Some(uid) => *last = *last.start()..=uid,
            _ => ranges.push(uid..=uid),
        }
    }
    let mut text = String::new();
    for range in ranges {
        let comma = if text.is_empty() { "" } else { "," };
        let (first, last) = range.into_inner();
        // Writing to a text does not fail.
        let _ = match first == last {
            true => write!(text, "{comma}{first}"),
            false => write!(text, "{comma}{first}:{last}"),
        };
    }
    text
}

/// The ranges of a set; `None` if it is none. A star has no meaning in an answer.
pub(super) fn parse_uid_set(text: &str) -> Option<Vec<RangeInclusive<u32>>> {
    let range = |part: &str| {
        let (first, last) = part.split_once(':').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        Some(first.min(last)..=first.max(last))
    };
    text.split(',').map(range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_written_and_read() {
        assert_eq!(write_uids(&[9, 4, 5, 7, 6, 1, 5]), "1,4:7,9");
        assert_eq!(
            write_uids(&[u32::MAX, u32::MAX - 1]),
            "4294967294:4294967295"
        );
        assert_eq!(write_uids(&[]), "");
        assert_eq!(parse_uid_set("41,43:116"), Some(vec![41..=41, 43..=116]));
        assert_eq!(parse_uid_set("9:7"), Some(vec![7..=9]));
        for bad in ["", "1:*", "1,,2", "a", "4294967296"] {
            assert_eq!(parse_uid_set(bad), None, "{bad}");
        }
    }
}
