//! The sample household: a family of four in one city, over the six sectors, for whoever wants to look before bringing
//! data of their own. Everything is invented; addresses and numbers are of the ranges kept for that.
//!
//! What was written by hand stands in `sample/*.toml`; each file beside them expands its sector's by rules. It is a pure
//! function of the moment: dates move with the day, so that "last month" is never empty, and nothing has happened yet that
//! lies behind `now`. Stories cross the sectors (the dentist's letter, the appointment, the payment): their day is written in
//! the same words everywhere (`when.rs`).
//!
//! ```text
//! when.rs    days as the kernels write them     chance.rs  numbers that look like chance and are none
//! finance.rs mail.rs calendar.rs contacts.rs health.rs home.rs    one sector each
//! load.rs    all of it stored, in one transaction, by the path that a push takes
//! ```

mod calendar;
mod chance;
mod contacts;
mod finance;
mod health;
mod home;
pub mod load;
mod mail;
mod when;

use std::fmt;

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use serde::de::DeserializeOwned;
use serde_json::Value;

use self::when::Days;

/// The records of one table, as a device would push them.
#[derive(Clone, Debug)]
pub struct Share {
    /// The qualified table.
    pub target: &'static str,
    pub records: Vec<Value>,
}

impl Share {
    /// What the connection that holds it is called.
    pub fn label(&self) -> String {
        let (sector, table) = self.target.split_once('.').unwrap_or((self.target, ""));
        let mut letters = sector.chars();
        let capital = letters.next().map(|first| first.to_ascii_uppercase());
        let sector: String = capital.into_iter().chain(letters).collect();
        format!("Sample · {sector}: {table}")
    }
}

/// What was written by hand cannot be read; a test holds that this never happens.
#[derive(Debug)]
pub struct SampleError(String);

impl SampleError {
    fn of(place: &str, cause: impl fmt::Display) -> Self {
        Self(format!("the sample's {place} cannot be used: {cause}"))
    }
}

impl fmt::Display for SampleError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for SampleError {}

/// The household as it stands at `now` in `zone`, parents before what refers to them.
///
/// # Errors
/// When what was written by hand cannot be read.
pub fn household(now: DateTime<Utc>, zone: Tz) -> Result<Vec<Share>, SampleError> {
    let days = Days::at(now, zone);
    let people = contacts::read()?;
    let mut shares = contacts::shares(&people, &days)?;
    shares.extend(finance::shares(&days)?);
    shares.push(mail::share(&people, &days)?);
    shares.push(calendar::share(&people, &days)?);
    shares.extend(health::shares(&days)?);
    shares.extend(home::shares(&days)?);
    Ok(shares)
}

fn kernel<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, SampleError> {
    toml::from_str(text).map_err(|fault| SampleError::of(name, fault))
}
