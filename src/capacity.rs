//! Limits on concurrent use: [`slots`] bounds a kind of work for all callers together, [`quotas`] bounds what one agent uses, so
//! that no agent takes what the others need.
//!
//! Pure but for waiting. It knows neither HTTP nor the database; how a caller reports that nothing is left is its own business.

pub(crate) mod quotas;
pub(crate) mod slots;

pub use quotas::{Quota, QuotaExceeded, Quotas, Resource, Share};
pub use slots::{Slot, Slots};
