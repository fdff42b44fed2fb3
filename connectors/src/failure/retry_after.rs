//! `Retry-After` (RFC 9110 §10.2.3): seconds, or a date.

use std::time::{Duration, SystemTime};

/// When a source wants to be asked again. The clock is the caller's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryAfter {
    /// So long after the answer.
    Wait(Duration),
    /// Not before.
    At(SystemTime),
}

impl RetryAfter {
    /// Reads a header; `None` if it is neither seconds nor a date.
    pub fn parse(header: &str) -> Option<Self> {
        let header = header.trim();
        if let Ok(seconds) = header.parse() {
            return Some(Self::Wait(Duration::from_secs(seconds)));
        }
        httpdate::parse_http_date(header).ok().map(Self::At)
    }

    /// How long to wait from `now` on.
    pub fn after(self, now: SystemTime) -> Duration {
        match self {
            Self::Wait(wait) => wait,
            Self::At(at) => at.duration_since(now).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates_are_read() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        let wait = |header| RetryAfter::parse(header).map(|after| after.after(now));
        assert_eq!(wait(" 120 "), Some(Duration::from_secs(120)));
        let later = wait("Sun, 06 Nov 1994 08:50:37 GMT");
        assert_eq!(later, Some(Duration::from_secs(60)));
        let past = wait("Sun, 06 Nov 1994 08:00:00 GMT");
        assert_eq!(past, Some(Duration::ZERO));
        assert_eq!(wait("soon"), None);
        assert_eq!(wait("-1"), None);
    }
}
