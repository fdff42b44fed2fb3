//! At which times of the day a rule has instances.
//!
//! What it is for: `BYHOUR`, `BYMINUTE` and `BYSECOND`, and the interval of rules that repeat more
//! than once a day. A day is divided into slots, one for each step of such a rule; every slot has
//! the same offsets. A daily or longer rule has one slot, at midnight.
//! What it must not know: which days match.

use chrono::{NaiveDateTime, TimeDelta, Timelike};

use super::rule::{Frequency, Rule};

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// The slots of a day, in seconds since midnight, and the moments in a slot, in seconds since its
/// beginning.
#[derive(Debug)]
pub(super) struct DayTimes {
    slots: Vec<i64>,
    offsets: Vec<i64>,
    step: i64,
    origin: i64,
}

impl DayTimes {
    /// The parts of a rule, completed from the time of its start where a part is absent.
    pub(super) fn from_rule(rule: &Rule, start: NaiveDateTime) -> Self {
        let frequency = rule.frequency;
        let hours = choices(
            &rule.hours,
            frequency >= Frequency::Hourly,
            start.hour(),
            24,
        );
        let minutes = choices(
            &rule.minutes,
            frequency >= Frequency::Minutely,
            start.minute(),
            60,
        );
        let seconds = choices(
            &rule.seconds,
            frequency >= Frequency::Secondly,
            start.second(),
            60,
        );
        let hours = sums(&[0], &hours, HOUR);
        let (slots, offsets, unit) = match frequency {
            Frequency::Hourly => (
                hours,
                sums(&sums(&[0], &minutes, MINUTE), &seconds, 1),
                HOUR,
            ),
            Frequency::Minutely => (
                sums(&hours, &minutes, MINUTE),
                sums(&[0], &seconds, 1),
                MINUTE,
            ),
            Frequency::Secondly => (
                sums(&sums(&hours, &minutes, MINUTE), &seconds, 1),
                vec![0],
                1,
            ),
            _ => (
                vec![0],
                sums(&sums(&hours, &minutes, MINUTE), &seconds, 1),
                DAY,
            ),
        };
        let is_within_a_day = frequency >= Frequency::Hourly;
        let step = if is_within_a_day {
            unit * i64::from(rule.interval)
        } else {
            DAY
        };
        let since_epoch = start.and_utc().timestamp();
        Self {
            slots,
            offsets,
            step,
            origin: since_epoch - since_epoch.rem_euclid(unit),
        }
    }

    /// How many slots are examined for one day.
    pub(super) fn slots_a_day(&self) -> usize {
        self.slots.len().min(self.steps_a_day())
    }

    /// The slots of one day that the interval allows, by their first moments. Tests the listed slots
    /// against the interval, or the steps against the list, whichever are fewer.
    pub(super) fn slots_from(&self, midnight: NaiveDateTime) -> Vec<NaiveDateTime> {
        let elapsed = midnight.and_utc().timestamp() - self.origin;
        let at = |slot: i64| midnight + TimeDelta::seconds(slot);
        if self.slots.len() <= self.steps_a_day() {
            let is_aligned = |slot: &&i64| (elapsed + **slot).rem_euclid(self.step) == 0;
            return self
                .slots
                .iter()
                .filter(is_aligned)
                .map(|slot| at(*slot))
                .collect();
        }
        let step = usize::try_from(self.step).unwrap_or(usize::MAX);
        let steps = ((-elapsed).rem_euclid(self.step)..DAY).step_by(step);
        steps
            .filter(|step| self.slots.binary_search(step).is_ok())
            .map(at)
            .collect()
    }

    fn steps_a_day(&self) -> usize {
        usize::try_from(DAY / self.step)
            .unwrap_or(usize::MAX)
            .saturating_add(1)
    }

    /// The moments inside one slot, or inside one whole day of a daily or longer rule.
    pub(super) fn moments_in(&self, slot: NaiveDateTime) -> impl Iterator<Item = NaiveDateTime> {
        self.offsets
            .iter()
            .map(move |offset| slot + TimeDelta::seconds(*offset))
    }
}

/// The values of a part. Without the part: all values if the rule steps by its unit, else the value
/// of the start.
fn choices(listed: &[u32], is_stepped: bool, start_value: u32, count: u32) -> Vec<u32> {
    match (listed, is_stepped) {
        ([], true) => (0..count).collect(),
        ([], false) => vec![start_value],
        (listed, _) => {
            let mut listed = listed.to_vec();
            listed.sort_unstable();
            listed.dedup();
            listed
        }
    }
}

/// Every base plus every number of units; sorted if both lists are.
fn sums(bases: &[i64], numbers: &[u32], unit: i64) -> Vec<i64> {
    let plus = |base: &i64| {
        let base = *base;
        numbers
            .iter()
            .map(move |number| base + i64::from(*number) * unit)
    };
    bases.iter().flat_map(plus).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_through_a_day() {
        let cases = [
            ("FREQ=DAILY", vec!["09:30:15"]),
            (
                "FREQ=DAILY;BYHOUR=20,8;BYMINUTE=0",
                vec!["08:00:15", "20:00:15"],
            ),
            (
                "FREQ=HOURLY;INTERVAL=7",
                vec!["06:30:15", "13:30:15", "20:30:15"],
            ),
            (
                "FREQ=HOURLY;INTERVAL=12;BYMINUTE=0,30",
                vec!["09:00:15", "09:30:15", "21:00:15", "21:30:15"],
            ),
            (
                "FREQ=MINUTELY;INTERVAL=30;BYHOUR=9",
                vec!["09:00:15", "09:30:15"],
            ),
            (
                "FREQ=SECONDLY;INTERVAL=15;BYHOUR=9;BYMINUTE=1",
                vec!["09:01:00", "09:01:15", "09:01:30", "09:01:45"],
            ),
            ("FREQ=SECONDLY;INTERVAL=2;BYSECOND=0", vec![]),
            ("FREQ=SECONDLY;INTERVAL=40000", vec!["07:43:35", "18:50:15"]),
        ];
        let start: NaiveDateTime = "2026-01-01T09:30:15".parse().unwrap();
        let next_midnight: NaiveDateTime = "2026-01-02T00:00:00".parse().unwrap();
        for (text, expected) in cases {
            let times = DayTimes::from_rule(&Rule::parse(text).unwrap(), start);
            let moments: Vec<_> = times
                .slots_from(next_midnight)
                .into_iter()
                .flat_map(|slot| times.moments_in(slot))
                .map(|moment| moment.time().to_string())
                .collect();
            assert_eq!(moments, expected, "{text}");
        }
    }
}
