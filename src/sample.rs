//! The sample household: invented data of a family of four in all six sectors, for trying the service before connecting real
//! sources. Addresses and telephone numbers are from the ranges reserved for fiction.
//!
//! The templates `sample/*.toml` are written by hand; the file beside each expands it by rules. The result is a pure function of
//! the instant: dates move with the day, so that "last month" is never empty, and nothing is later than `now`. Events that
//! appear in several sectors (the dentist's letter, the appointment, the payment) write their day in the same notation
//! (`when.rs`).
//!
//! ```text
//! when.rs    days as the templates write them     chance.rs  pseudorandom numbers, the same for each name and day
//! finance.rs mail.rs calendar.rs contacts.rs health.rs home.rs    one sector each
//! load.rs    stores all of it in one transaction, with the code of a push
//! ```

mod calendar;
mod chance;
mod contacts;
mod finance;
mod health;
mod home;
pub(crate) mod load;
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
pub struct TableRecords {
    /// The qualified table.
    pub target: &'static str,
    pub records: Vec<Value>,
}

impl TableRecords {
    /// The label of its connection.
    pub fn label(&self) -> String {
        let (sector, table) = self.target.split_once('.').unwrap_or((self.target, ""));
        let mut letters = sector.chars();
        let capital = letters.next().map(|first| first.to_ascii_uppercase());
        let sector: String = capital.into_iter().chain(letters).collect();
        format!("Sample · {sector}: {table}")
    }
}

/// A template is invalid. A test checks that none is.
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

/// The records of the household at `now` in `zone`, a table after those it refers to.
///
/// # Errors
/// When a template is invalid.
pub fn household(now: DateTime<Utc>, zone: Tz) -> Result<Vec<TableRecords>, SampleError> {
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

fn parse_template<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, SampleError> {
    toml::from_str(text).map_err(|fault| SampleError::of(name, fault))
}
