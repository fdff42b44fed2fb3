//! How much of the service may be in use at one time: [`slots`] bounds a kind of work for everybody together, [`quotas`] bounds
//! what one agent holds, so that none takes what the others need.
//!
//! Pure but for waiting: it knows neither HTTP nor the database, and what a caller is told when there is nothing left is the
//! caller's to say.

pub mod quotas;
pub mod slots;

pub use quotas::{Quota, QuotaExceeded, Quotas, Resource, Share};
pub use slots::{Slot, Slots};
