//! Finance: a year of income, debts and spending on five accounts, with balances that add up.

use std::collections::BTreeMap;

use chrono::{Datelike, NaiveDate, Weekday};
use rust_decimal::Decimal;
use rust_decimal::prelude::FromPrimitive;
use serde::Deserialize;
use serde_json::{Value, json};

use super::when::{Days, stamp};
use super::{SampleError, TableRecords, chance, parse_template};

/// Months of history before the present one.
const MONTHS: i32 = 12;
/// The day of the month on which the credit card is settled.
const SETTLEMENT_DAY: u32 = 5;
const CURRENCY: &str = "EUR";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Template {
    account: Vec<SampleAccount>,
    regular: Vec<MonthlyBooking>,
    habit: Vec<Habit>,
    once: Vec<SingleBooking>,
    holding: Vec<Holding>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SampleAccount {
    id: String,
    name: String,
    institution: String,
    r#type: String,
    subtype: String,
    mask: String,
    /// The balance before the first transaction.
    opening: Decimal,
    limit: Option<Decimal>,
}

/// A booking on the same day of every month, or of every `every` months.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MonthlyBooking {
    #[serde(flatten)]
    what: BookingDetails,
    amount: Decimal,
    on: u32,
    /// The first and the last month, relative to the present one.
    from: Option<i32>,
    until: Option<i32>,
    every: Option<i32>,
    /// The account that gets the opposite booking, for a transfer.
    onto: Option<String>,
}

/// Bookings on `percent` of certain weekdays, with an amount in a range.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Habit {
    #[serde(flatten)]
    what: BookingDetails,
    on: Vec<Weekday>,
    low: f64,
    high: f64,
    percent: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SingleBooking {
    #[serde(flatten)]
    what: BookingDetails,
    day: String,
    amount: Decimal,
    #[serde(default)]
    pending: bool,
}

#[derive(Clone, Deserialize)]
struct BookingDetails {
    account: String,
    merchant: String,
    category: String,
    text: Option<String>,
    channel: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Holding {
    symbol: String,
    name: String,
    quantity: Decimal,
    /// The quantity bought every month.
    monthly: Decimal,
    price: f64,
    /// The average gain of a month, as a fraction of the price.
    growth: f64,
}

/// One booking; its balance is computed later.
struct SampleBooking {
    day: NaiveDate,
    amount: Decimal,
    what: BookingDetails,
    is_pending: bool,
}

pub(super) fn shares(days: &Days) -> Result<Vec<TableRecords>, SampleError> {
    let template: Template = parse_template("finance", include_str!("finance.toml"))?;
    let mut bookings = bookings(&template, days)?;
    bookings.extend(settlements(&bookings, days));
    bookings.sort_by_key(|booking| (booking.day, booking.is_pending));
    let (transactions, balances) = posted(&template, &bookings);
    let accounts = template.account.iter().map(|account| {
        let balance = balances
            .get(&account.id)
            .copied()
            .unwrap_or(account.opening);
        account.record(balance, days)
    });
    Ok(vec![
        TableRecords {
            target: "finance.accounts",
            records: accounts.collect(),
        },
        TableRecords {
            target: "finance.transactions",
            records: transactions,
        },
        TableRecords {
            target: "finance.holdings",
            records: holdings(&template.holding, days)?,
        },
    ])
}

impl SampleAccount {
    fn record(&self, balance: Decimal, days: &Days) -> Value {
        json!({
            "id": name_of(&self.id), "name": self.name, "institution_name": self.institution, "type": self.r#type,
            "subtype": self.subtype, "currency": CURRENCY, "mask": self.mask, "balance_current": balance,
            "balance_available": self.limit.map_or(balance, |limit| limit + balance), "balance_limit": self.limit,
            "balance_as_of": stamp(days.now), "status": "ok",
        })
    }
}

fn name_of(account: &str) -> String {
    format!("sample-account-{account}")
}

fn bookings(template: &Template, days: &Days) -> Result<Vec<SampleBooking>, SampleError> {
    let mut bookings = Vec::new();
    for regular in &template.regular {
        bookings.extend(regular.bookings(days));
    }
    for habit in &template.habit {
        bookings.extend(habit.bookings(days));
    }
    for once in &template.once {
        bookings.push(SampleBooking {
            day: days.day(&once.day)?,
            amount: once.amount,
            what: once.what.clone(),
            is_pending: once.pending,
        });
    }
    let first = days.in_month(-MONTHS, 1);
    bookings.retain(|booking| (first..=days.today).contains(&booking.day));
    Ok(bookings)
}

impl MonthlyBooking {
    fn bookings(&self, days: &Days) -> Vec<SampleBooking> {
        let (from, until) = (self.from.unwrap_or(-MONTHS), self.until.unwrap_or(0));
        let every = usize::try_from(self.every.unwrap_or(1)).unwrap_or(1);
        let months = (from..=until).step_by(every);
        months
            .flat_map(|month| {
                let day = days.in_month(month, self.on);
                let other = self.onto.clone().map(|account| BookingDetails {
                    account,
                    ..self.what.clone()
                });
                let back = other.map(|what| SampleBooking {
                    day,
                    amount: -self.amount,
                    what,
                    is_pending: false,
                });
                let here = SampleBooking {
                    day,
                    amount: self.amount,
                    what: self.what.clone(),
                    is_pending: false,
                };
                std::iter::once(here).chain(back)
            })
            .collect()
    }
}

impl Habit {
    /// The days up to yesterday: a bank does not report purchases of the same day.
    fn bookings(&self, days: &Days) -> Vec<SampleBooking> {
        let first = days.in_month(-MONTHS, 1);
        let past = first.iter_days().take_while(|day| *day < days.today);
        let chosen = past.filter(|day| {
            self.on.contains(&day.weekday())
                && chance::happens(&self.what.merchant, *day, self.percent)
        });
        let priced = chosen.map(|day| {
            let price = chance::between(&self.what.category, day, (self.low, self.high));
            SampleBooking {
                day,
                // A finite price always has a decimal.
                amount: -Decimal::from_f64(chance::rounded(price, 2))
                    .unwrap_or_default()
                    .round_dp(2),
                what: self.what.clone(),
                is_pending: false,
            }
        });
        priced.collect()
    }
}

/// Each month the joint account pays what was spent by card in the month before.
fn settlements(bookings: &[SampleBooking], days: &Days) -> Vec<SampleBooking> {
    let mut settlements = Vec::new();
    for month in -MONTHS + 1..=0 {
        let (first, end) = (days.in_month(month - 1, 1), days.in_month(month, 1));
        let of_month = bookings.iter().filter(|booking| {
            booking.what.account == "card"
                && (first..end).contains(&booking.day)
                && !booking.is_pending
        });
        let spent: Decimal = of_month.map(|booking| booking.amount).sum();
        let day = days.in_month(month, SETTLEMENT_DAY);
        if day > days.today || spent.is_zero() {
            continue;
        }
        for (account, amount) in [("joint", spent), ("card", -spent)] {
            let what = BookingDetails {
                account: account.to_owned(),
                merchant: "Lindenauer Bank".to_owned(),
                category: "transfer".to_owned(),
                text: Some(format!("Card settlement {}", first.format("%m/%Y"))),
                channel: Some("transfer".to_owned()),
            };
            settlements.push(SampleBooking {
                day,
                amount,
                what,
                is_pending: false,
            });
        }
    }
    settlements
}

/// The records in order, each with its account's balance after it, and the final balance of each account.
fn posted(
    template: &Template,
    bookings: &[SampleBooking],
) -> (Vec<Value>, BTreeMap<String, Decimal>) {
    let opening = template
        .account
        .iter()
        .map(|account| (account.id.clone(), account.opening));
    let mut balances: BTreeMap<String, Decimal> = opening.collect();
    let mut ordinals: BTreeMap<(NaiveDate, &str), u32> = BTreeMap::new();
    let records = bookings.iter().map(|booking| {
        let ordinal = ordinals
            .entry((booking.day, &booking.what.account))
            .or_default();
        *ordinal += 1;
        let id = format!("sample-{}-{}-{ordinal}", booking.what.account, booking.day);
        let balance = balances.entry(booking.what.account.clone()).or_default();
        if !booking.is_pending {
            *balance += booking.amount;
        }
        booking.record(&id, *balance)
    });
    (records.collect(), balances)
}

impl SampleBooking {
    fn record(&self, id: &str, balance: Decimal) -> Value {
        let what = &self.what;
        json!({
            "id": id, "account_id": name_of(&what.account),
            "status": if self.is_pending { "pending" } else { "posted" },
            "amount": self.amount, "currency": CURRENCY, "booked_on": self.day.to_string(),
            "value_on": self.day.to_string(), "merchant_name": what.merchant, "counterparty_name": what.merchant,
            "description": what.text.as_deref().unwrap_or(&what.merchant), "category": what.category,
            "payment_channel": what.channel.as_deref().unwrap_or("card"),
            "balance_after": (!self.is_pending).then_some(balance),
        })
    }
}

/// Each holding at the end of each month, and today.
fn holdings(template: &[Holding], days: &Days) -> Result<Vec<Value>, SampleError> {
    let mut records = Vec::new();
    for holding in template {
        let ends = (-MONTHS..0).map(|month| (month, days.in_month(month, 31)));
        for (month, day) in ends.chain([(0, days.today)]) {
            let swing = chance::between(&holding.symbol, day, (-0.015, 0.015));
            let price = holding.price * (1.0 + holding.growth * f64::from(MONTHS + month) + swing);
            let price = Decimal::from_f64(price)
                .ok_or_else(|| SampleError::of("price", price))?
                .round_dp(2);
            let quantity = holding.quantity + holding.monthly * Decimal::from(MONTHS + month);
            let cost = Decimal::from_f64(holding.price)
                .ok_or_else(|| SampleError::of("price", holding.price))?
                * quantity;
            records.push(json!({
                "id": format!("sample-{}-{day}", holding.symbol), "account_id": name_of("depot"),
                "day": day.to_string(), "symbol": holding.symbol, "name": holding.name, "quantity": quantity,
                "price": price, "market_value": (price * quantity).round_dp(2), "cost_basis": cost.round_dp(2),
                "currency": CURRENCY,
            }));
        }
    }
    Ok(records)
}
