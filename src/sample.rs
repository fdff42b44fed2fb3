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
//! template.rs  a template as it is read, and the records that it becomes
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
mod template;
mod when;

use chrono::{DateTime, Utc};
use chrono_tz::Tz;

use self::template::parse_template;
use self::when::Days;

pub use template::{SampleError, TableRecords};

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
