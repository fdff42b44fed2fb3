//! The options by which a person says what files leave open.

use chrono_tz::Tz;
use clap::{Args, ValueEnum};
use sextant_formats::{DateOrder, MoneyFlow, Options};

use crate::intake::{account_name, currency_code};

/// [`DateOrder`] as it is given on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OrderOption {
    /// Day, month, year: 31.12.2026.
    Dmy,
    /// Month, day, year: 12/31/2026.
    Mdy,
    /// Year, month, day: 2026-12-31.
    Ymd,
}

/// [`MoneyFlow`] as it is given on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FlowOption {
    /// Money that came in: most accounts.
    In,
    /// Money that was spent: some cards.
    Out,
}

/// Nothing said: what a file leaves open is refused, never guessed.
#[derive(Debug, Clone, Default, Args)]
pub struct FileOptions {
    /// How a file writes its dates, where its own values leave that open
    #[arg(long, value_enum, value_name = "ORDER")]
    date_order: Option<OrderOption>,
    /// The currency of amounts whose file names none, such as EUR
    #[arg(long, value_name = "CODE", value_parser = currency_code)]
    currency: Option<String>,
    /// Whether amounts without a minus came in or were spent, where a file leaves that open
    #[arg(long, value_enum, value_name = "WAY")]
    positive: Option<FlowOption>,
    /// The time zone of times that bear none, such as Europe/Berlin
    #[arg(long, value_name = "ZONE")]
    zone: Option<Tz>,
    /// The account of bank files that name none, such as 'Checking'
    #[arg(long, value_name = "NAME", value_parser = account_name)]
    account: Option<String>,
}

impl From<FileOptions> for Options {
    fn from(given: FileOptions) -> Self {
        Self {
            date_order: given.date_order.map(|order| match order {
                OrderOption::Dmy => DateOrder::Dmy,
                OrderOption::Mdy => DateOrder::Mdy,
                OrderOption::Ymd => DateOrder::Ymd,
            }),
            currency: given.currency,
            positive: given.positive.map(|way| match way {
                FlowOption::In => MoneyFlow::In,
                FlowOption::Out => MoneyFlow::Out,
            }),
            zone: given.zone,
            account: given.account,
        }
    }
}
