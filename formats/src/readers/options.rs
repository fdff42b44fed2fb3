//! What the person says of files that do not say it themselves.

use chrono_tz::Tz;

/// In which order a file writes day, month and year, where its own values leave that open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateOrder {
    /// Day, month, year: 31.12.2026.
    Dmy,
    /// Month, day, year: 12/31/2026.
    Mdy,
    /// Year, month, day: 2026-12-31.
    Ymd,
}

/// What amounts without a minus are, where a file leaves that open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoneyFlow {
    /// Money that came in: most accounts.
    In,
    /// Money that was spent: some cards.
    Out,
}

/// What the person says of their files. By default nothing is said: what a file leaves open is refused, never guessed.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// How a file writes its dates, where its own values leave that open.
    pub date_order: Option<DateOrder>,
    /// The currency of amounts whose file names none: three capital letters (ISO 4217), such as EUR.
    pub currency: Option<String>,
    /// Whether amounts without a minus came in or were spent, where a file leaves that open.
    pub positive: Option<MoneyFlow>,
    /// The time zone of times that bear none, such as Europe/Berlin.
    pub zone: Option<Tz>,
    /// The account of bank files that name none, such as `Checking`.
    pub account: Option<String>,
}
