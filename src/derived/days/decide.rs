//! What a day says, decided from what is offered for it. Pure.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// The fields of a day, in the table's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
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

impl Field {
    pub const ALL: [Field; 11] = [
        Field::Steps,
        Field::DistanceM,
        Field::EnergyKcal,
        Field::FlightsClimbed,
        Field::ExerciseMinutes,
        Field::RestingHeartRate,
        Field::HrvRmssdMs,
        Field::RecoveryScore,
        Field::Strain,
        Field::SleepMinutes,
        Field::WeightKg,
    ];

    /// Its name in the catalogue.
    pub const fn name(self) -> &'static str {
        match self {
            Field::Steps => "steps",
            Field::DistanceM => "distance_m",
            Field::EnergyKcal => "energy_kcal",
            Field::FlightsClimbed => "flights_climbed",
            Field::ExerciseMinutes => "exercise_minutes",
            Field::RestingHeartRate => "resting_heart_rate",
            Field::HrvRmssdMs => "hrv_rmssd_ms",
            Field::RecoveryScore => "recovery_score",
            Field::Strain => "strain",
            Field::SleepMinutes => "sleep_minutes",
            Field::WeightKg => "weight_kg",
        }
    }

    /// Whether it counts whole things.
    pub const fn is_whole(self) -> bool {
        matches!(self, Field::Steps | Field::FlightsClimbed)
    }

    /// The value as it is stored.
    pub fn shown(self, value: f64) -> Value {
        if self.is_whole() {
            // What the store cannot hold was not offered ([`Offer::is_storable`]).
            json!(value.round() as i32)
        } else {
            json!(value)
        }
    }
}

/// How much an offer counts: the least wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// Pushed as a day.
    Said,
    /// A recovery or a cycle: what the maker of the device makes of a whole night or day.
    Scored,
    /// Samples, or sleeps whose parts are told.
    Measured,
    /// Workouts, or mere time in bed.
    Estimated,
}

/// A value that something knows for a field of a day. Of equal rank the greater weight wins, then the lower connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offer {
    pub day: NaiveDate,
    pub field: Field,
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

/// All that is offered for some days.
#[derive(Debug, Default)]
pub struct Offers {
    pub values: Vec<Offer>,
    /// Days that were pushed: each is there even when it tells no field.
    pub pushed: Vec<(NaiveDate, Uuid)>,
    /// Unknown fields of pushed days, the newest last.
    pub extra: BTreeMap<NaiveDate, Map<String, Value>>,
}

/// What a day says.
#[derive(Clone, Debug, PartialEq)]
pub struct Day {
    pub connection: Uuid,
    pub fields: BTreeMap<Field, f64>,
    pub extra: Option<Map<String, Value>>,
}

/// Decides each day for which anything is known.
pub fn decide(mut offers: Offers) -> BTreeMap<NaiveDate, Day> {
    let mut best: BTreeMap<NaiveDate, BTreeMap<Field, Offer>> = BTreeMap::new();
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
            let connection = main_teller(&chosen).or_else(|| pushed.get(&day).copied())?;
            let fields = chosen.values().map(|offer| (offer.field, offer.value));
            let said = Day {
                connection,
                fields: fields.collect(),
                extra: offers.extra.remove(&day),
            };
            Some((day, said))
        })
        .collect()
}

/// The connection that tells most fields; of equals, the lowest.
fn main_teller(chosen: &BTreeMap<Field, Offer>) -> Option<Uuid> {
    let mut told: BTreeMap<Uuid, usize> = BTreeMap::new();
    for offer in chosen.values() {
        *told.entry(offer.connection).or_default() += 1;
    }
    told.into_iter()
        .max_by(|(one, of_one), (other, of_other)| of_one.cmp(of_other).then(other.cmp(one)))
        .map(|(connection, _)| connection)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(field: Field, rank: Rank, weight: f64, connection: u128, value: f64) -> Offer {
        Offer {
            day: NaiveDate::MIN,
            field,
            rank,
            weight,
            connection: Uuid::from_u128(connection),
            value,
        }
    }

    fn only(values: Vec<Offer>) -> Day {
        let offers = Offers {
            values,
            ..Offers::default()
        };
        decide(offers).remove(&NaiveDate::MIN).unwrap()
    }

    #[test]
    fn each_field_is_decided_by_itself_and_the_order_of_offers_says_nothing() {
        let mut values = vec![
            offer(Field::Steps, Rank::Measured, 9_000.0, 1, 9_000.0),
            offer(Field::Steps, Rank::Said, 0.0, 2, 100.0),
            offer(Field::WeightKg, Rank::Measured, 1.0, 1, 70.0),
            offer(Field::Strain, Rank::Scored, 1.0, 1, 8.0),
        ];
        let day = only(values.clone());
        assert_eq!(day.fields[&Field::Steps], 100.0);
        assert_eq!(day.fields[&Field::WeightKg], 70.0);
        assert_eq!(day.connection, Uuid::from_u128(1), "it tells two of three");
        values.reverse();
        assert_eq!(only(values), day);
    }

    #[test]
    fn of_equal_offers_the_lower_connection_counts() {
        let same = |connection| offer(Field::Steps, Rank::Measured, 5.0, connection, 5.0);
        for values in [vec![same(7), same(3)], vec![same(3), same(7)]] {
            assert_eq!(only(values).connection, Uuid::from_u128(3));
        }
    }

    #[test]
    fn what_the_store_cannot_hold_is_not_said() {
        let values = vec![
            offer(Field::Steps, Rank::Measured, 1e12, 1, 1e12),
            offer(Field::EnergyKcal, Rank::Measured, 1e12, 1, 1e12),
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
        assert_eq!(names, Field::ALL.map(Field::name));
    }
}
