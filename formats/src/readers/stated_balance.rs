//! What statements of all formats say of balances.

use chrono::NaiveDate;

/// How those are called that nothing can be made of; their bookings stand without them.
pub(super) const UNREAD_BALANCES: &str = "balances that cannot be read";

/// The end of a day where the person lives: bookings of the day are in it, and it is of that day in every zone.
pub(super) fn end_of(day: NaiveDate) -> String {
    format!("{day}T23:59:59")
}
