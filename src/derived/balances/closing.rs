//! The balance at the end of a day, from its bookings and the balance after each. Pure.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

/// One booked transaction of a day.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Booking {
    pub amount: Decimal,
    /// The balance after it, if the source says it.
    pub after: Option<Decimal>,
    pub currency: Option<String>,
    pub at: Option<DateTime<Utc>>,
}

/// The balance at the end of a day.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Closing {
    pub after: Decimal,
    pub currency: Option<String>,
}

/// The balance after the last of a day's bookings; `None` where it is not certain which was the last.
///
/// Banks list a day's bookings in ascending or descending order, and seldom with a time, so their order cannot be used. But
/// each booking starts from the balance after another one: the only balance from which none starts is the last. Where the day
/// ends with the balance it began with, or a booking has no balance, the last is found by time, if all have one.
pub(super) fn closing(bookings: &[Booking]) -> Option<Closing> {
    let currency = bookings.first()?.currency.clone();
    if bookings.iter().any(|booking| booking.currency != currency) {
        return None;
    }
    let after = end_of_chain(bookings).or_else(|| latest(bookings))?;
    Some(Closing { after, currency })
}

fn end_of_chain(bookings: &[Booking]) -> Option<Decimal> {
    let mut ends: BTreeMap<Decimal, i64> = BTreeMap::new();
    for booking in bookings {
        let after = booking.after?;
        *ends.entry(after).or_default() += 1;
        *ends.entry(after.checked_sub(booking.amount)?).or_default() -= 1;
    }
    let mut open = ends.into_iter().filter(|(_, count)| *count > 0);
    let end = open.next().filter(|(_, count)| *count == 1)?;
    open.next().is_none().then_some(end.0)
}

fn latest(bookings: &[Booking]) -> Option<Decimal> {
    let times: Option<Vec<DateTime<Utc>>> = bookings.iter().map(|booking| booking.at).collect();
    let last = times?.into_iter().max()?;
    let mut of_last = bookings.iter().filter(|booking| booking.at == Some(last));
    let after = of_last.next()?.after;
    if of_last.next().is_some() {
        None
    } else {
        after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn booking(amount: i64, after: Option<i64>, hour: Option<i64>) -> Booking {
        Booking {
            amount: amount.into(),
            after: after.map(Decimal::from),
            currency: Some("EUR".to_owned()),
            at: hour.map(|hour| DateTime::from_timestamp(hour * 3600, 0).unwrap()),
        }
    }

    fn ends(bookings: &[Booking]) -> Option<i64> {
        let mut reversed = bookings.to_vec();
        reversed.reverse();
        assert_eq!(closing(bookings), closing(&reversed), "order tells nothing");
        closing(bookings).map(|closing| closing.after.try_into().unwrap())
    }

    #[test]
    fn the_balance_at_which_no_other_begins_is_the_last() {
        let day = [
            booking(-10, Some(90), None),
            booking(-20, Some(70), None),
            booking(5, Some(75), None),
        ];
        assert_eq!(ends(&day), Some(75));
        assert_eq!(ends(&day[..1]), Some(90));
        let twice = [
            booking(-10, Some(90), None),
            booking(10, Some(100), None),
            booking(-10, Some(90), None),
        ];
        assert_eq!(ends(&twice), Some(90));
    }

    #[test]
    fn where_the_chain_does_not_tell_the_time_does_or_nothing() {
        let round = |hours: [Option<i64>; 2]| {
            [
                booking(-10, Some(90), hours[0]),
                booking(10, Some(100), hours[1]),
            ]
        };
        assert_eq!(ends(&round([None, None])), None);
        assert_eq!(ends(&round([Some(9), None])), None);
        assert_eq!(ends(&round([Some(9), Some(17)])), Some(100));
        assert_eq!(ends(&round([Some(9), Some(9)])), None);
        let broken = [booking(-10, Some(90), None), booking(-1, Some(50), None)];
        assert_eq!(ends(&broken), None);
        let silent = [booking(-10, Some(90), None), booking(-1, None, None)];
        assert_eq!(ends(&silent), None);
        assert_eq!(ends(&[]), None);
    }

    #[test]
    fn unlike_currencies_have_no_balance_together() {
        let mut day = [booking(-10, Some(90), None), booking(-20, Some(70), None)];
        day[0].currency = Some("USD".to_owned());
        assert_eq!(closing(&day), None);
    }
}
