//! What the person answers to what a file leaves open.

use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sextant_formats::{DateOrder, MoneyFlow, OpenQuestion, Options};

use crate::intake::{account_name, currency_code};

/// The answers for one file, each of which may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct FileAnswers {
    /// The account of bookings that name none: a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    account: Option<String>,
    /// The currency of amounts that name none: three capital letters (ISO 4217).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    currency: Option<String>,
    /// In which order dates are written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    date_order: Option<AnsweredDateOrder>,
    /// Whether amounts without a minus came in or were spent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    positive: Option<AnsweredFlow>,
    /// The time zone of times that bear none, such as Europe/Berlin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    zone: Option<String>,
}

/// [`DateOrder`] as it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum AnsweredDateOrder {
    Dmy,
    Mdy,
    Ymd,
}

/// [`MoneyFlow`] as it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum AnsweredFlow {
    In,
    Out,
}

/// [`OpenQuestion`] as it is sent: the name of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum FileQuestion {
    Account,
    Currency,
    DateOrder,
    Positive,
}

impl From<OpenQuestion> for FileQuestion {
    fn from(question: OpenQuestion) -> Self {
        match question {
            OpenQuestion::Account => Self::Account,
            OpenQuestion::Currency => Self::Currency,
            OpenQuestion::DateOrder => Self::DateOrder,
            OpenQuestion::Positive => Self::Positive,
        }
    }
}

impl FileAnswers {
    /// The same for the readers.
    ///
    /// # Errors
    /// Which answer cannot be taken, and what to send.
    pub(super) fn options(&self) -> Result<Options, String> {
        let zone = self.zone.as_deref().map(|name| {
            let known = name.parse::<Tz>();
            known.map_err(|_| "send a time zone by its name, such as Europe/Berlin".to_owned())
        });
        Ok(Options {
            date_order: self.date_order.map(|order| match order {
                AnsweredDateOrder::Dmy => DateOrder::Dmy,
                AnsweredDateOrder::Mdy => DateOrder::Mdy,
                AnsweredDateOrder::Ymd => DateOrder::Ymd,
            }),
            currency: self.currency.as_deref().map(currency_code).transpose()?,
            positive: self.positive.map(|flow| match flow {
                AnsweredFlow::In => MoneyFlow::In,
                AnsweredFlow::Out => MoneyFlow::Out,
            }),
            zone: zone.transpose()?,
            account: self.account.as_deref().map(account_name).transpose()?,
        })
    }
}
