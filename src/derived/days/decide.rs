//! Decides the values of a day from the values that its sources offer. Pure.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// The fields of a day, in the table's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum DayField {
    Steps,
    DistanceM,
    EnergyKcal,
    FlightsClimbed,
    ExerciseMinutes,
    RestingHeartRate,
    HrvRmssdMs,
    RecoveryScore,
    Strain,
    SleepMinutes,
    WeightKg,
}

impl DayField {
    pub(super) const ALL: [DayField; 11] = [
        DayField::Steps,
        DayField::DistanceM,
        DayField::EnergyKcal,
        DayField::FlightsClimbed,
        DayField::ExerciseMinutes,
        DayField::RestingHeartRate,
        DayField::HrvRmssdMs,
        DayField::RecoveryScore,
        DayField::Strain,
        DayField::SleepMinutes,
        DayField::WeightKg,
    ];

    /// Its name in the catalogue.
    pub(super) const fn name(self) -> &'static str {
        match self {
            DayField::Steps => "steps",
            DayField::DistanceM => "distance_m",
            DayField::EnergyKcal => "energy_kcal",
            DayField::FlightsClimbed => "flights_climbed",
            DayField::ExerciseMinutes => "exercise_minutes",
            DayField::RestingHeartRate => "resting_heart_rate",
            DayField::HrvRmssdMs => "hrv_rmssd_ms",
            DayField::RecoveryScore => "recovery_score",
            DayField::Strain => "strain",
            DayField::SleepMinutes => "sleep_minutes",
            DayField::WeightKg => "weight_kg",
        }
    }

    /// Whether its values are whole numbers.
    pub(super) const fn is_whole(self) -> bool {
        matches!(self, DayField::Steps | DayField::FlightsClimbed)
    }

    /// The value as it is stored.
    pub(super) fn to_json(self, value: f64) -> Value {
        if self.is_whole() {
            // Values outside of i32 were filtered out ([`Offer::is_storable`]).
            json!(value.round() as i32)
        } else {
            json!(value)
        }
    }
}

/// The kind of an offer's source; the first of these wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// A pushed day.
    Pushed,
    /// A recovery or a cycle: the score that the device's maker computes for a whole night or day.
    Scored,
    /// Samples, or sleeps with known stages.
    Measured,
    /// Workouts, or time in bed.
    Estimated,
}

/// A value of a field that one source has for a day. Of equal ranks the greater weight wins, then the lower connection id.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Offer {
    pub day: NaiveDate,
    pub field: DayField,
    pub rank: Rank,
    pub weight: f64,
    pub connection: Uuid,
    pub value: f64,
}

impl Offer {
    fn beats(&self, other: &Offer) -> bool {
        let by_rank = other.rank.cmp(&self.rank);
        let by_weight = self.weight.total_cmp(&other.weight);
        let by_connection = other.connection.cmp(&self.connection);
        by_rank.then(by_weight).then(by_connection).is_gt()
    }

    fn is_storable(&self) -> bool {
        self.value.is_finite() && (!self.field.is_whole() || self.value.abs() < f64::from(i32::MAX))
    }
}

/// All offers for some days.
#[derive(Debug, Default)]
pub(super) struct Offers {
    pub values: Vec<Offer>,
    /// Pushed days with their connections; each gets a row even without a value.
    pub pushed: Vec<(NaiveDate, Uuid)>,
    /// Unknown fields of pushed days, the newest last.
    pub extra: BTreeMap<NaiveDate, Map<String, Value>>,
}

/// One day, merged from all its sources.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MergedDay {
    pub connection: Uuid,
    pub fields: BTreeMap<DayField, f64>,
    pub extra: Option<Map<String, Value>>,
}

/// Merges each day for which there is an offer or a pushed day.
pub(super) fn decide(mut offers: Offers) -> BTreeMap<NaiveDate, MergedDay> {
    let mut best: BTreeMap<NaiveDate, BTreeMap<DayField, Offer>> = BTreeMap::new();
    let pushed: BTreeMap<NaiveDate, Uuid> = offers.pushed.into_iter().collect();
    for offer in offers.values.into_iter().filter(Offer::is_storable) {
        best.entry(offer.day)
            .or_default()
            .entry(offer.field)
            .and_modify(|held| {
                if offer.beats(held) {
                    *held = offer;
                }
            })
            .or_insert(offer);
    }
    for day in pushed.keys() {
        best.entry(*day).or_default();
    }
    best.into_iter()
        .filter_map(|(day, chosen)| {
            let connection = main_connection(&chosen).or_else(|| pushed.get(&day).copied())?;
            let fields = chosen.values().map(|offer| (offer.field, offer.value));
            let merged = MergedDay {
                connection,
                fields: fields.collect(),
                extra: offers.extra.remove(&day),
            };
            Some((day, merged))
        })
        .collect()
}

/// The connection that most fields come from; of equals, that with the lowest id.
fn main_connection(chosen: &BTreeMap<DayField, Offer>) -> Option<Uuid> {
    let mut counts: BTreeMap<Uuid, usize> = BTreeMap::new();
    for offer in chosen.values() {
        *counts.entry(offer.connection).or_default() += 1;
    }
    counts
        .into_iter()
        .max_by(|(one, of_one), (other, of_other)| of_one.cmp(of_other).then(other.cmp(one)))
        .map(|(connection, _)| connection)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(field: DayField, rank: Rank, weight: f64, connection: u128, value: f64) -> Offer {
        Offer {
            day: NaiveDate::MIN,
            field,
            rank,
            weight,
            connection: Uuid::from_u128(connection),
            value,
        }
    }

    fn only(values: Vec<Offer>) -> MergedDay {
        let offers = Offers {
            values,
            ..Offers::default()
        };
        decide(offers).remove(&NaiveDate::MIN).unwrap()
    }

    #[test]
    fn each_field_is_decided_by_itself_and_the_order_of_offers_says_nothing() {
        let mut values = vec![
            offer(DayField::Steps, Rank::Measured, 9_000.0, 1, 9_000.0),
            offer(DayField::Steps, Rank::Pushed, 0.0, 2, 100.0),
            offer(DayField::WeightKg, Rank::Measured, 1.0, 1, 70.0),
            offer(DayField::Strain, Rank::Scored, 1.0, 1, 8.0),
        ];
        let day = only(values.clone());
        assert_eq!(day.fields[&DayField::Steps], 100.0);
        assert_eq!(day.fields[&DayField::WeightKg], 70.0);
        assert_eq!(day.connection, Uuid::from_u128(1), "it tells two of three");
        values.reverse();
        assert_eq!(only(values), day);
    }

    #[test]
    fn of_equal_offers_the_lower_connection_counts() {
        let same = |connection| offer(DayField::Steps, Rank::Measured, 5.0, connection, 5.0);
        for values in [vec![same(7), same(3)], vec![same(3), same(7)]] {
            assert_eq!(only(values).connection, Uuid::from_u128(3));
        }
    }

    #[test]
    fn what_the_store_cannot_hold_is_not_said() {
        let values = vec![
            offer(DayField::Steps, Rank::Measured, 1e12, 1, 1e12),
            offer(DayField::EnergyKcal, Rank::Measured, 1e12, 1, 1e12),
        ];
        let day = only(values);
        assert_eq!(day.fields.len(), 1, "{day:?}");
    }

    #[test]
    fn a_pushed_day_that_tells_nothing_is_a_day_all_the_same() {
        let offers = Offers {
            pushed: vec![(NaiveDate::MIN, Uuid::from_u128(4))],
            ..Offers::default()
        };
        assert_eq!(decide(offers).len(), 1);
        assert!(decide(Offers::default()).is_empty());
    }

    #[test]
    fn the_fields_are_the_catalogues() {
        let days = crate::catalog::by_target("health.days").unwrap();
        let names: Vec<_> = days.fields.iter().map(|field| field.name).skip(1).collect();
        assert_eq!(names, DayField::ALL.map(DayField::name));
    }
}
