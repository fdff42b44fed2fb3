//! Samples four times an hour over the days of clock changes: each day, hour and month has as many as it is long.

use std::collections::BTreeMap;

use chrono::{Datelike as _, NaiveDate, Weekday};
use serde_json::{Value, json};
use sextant_actors::domain::OPERATOR;

use crate::query::house::{House, rows};

const TARGET: &str = "health.samples";

struct Leap {
    zone: chrono_tz::Tz,
    /// From noon to noon, in UTC.
    from: &'static str,
    to: &'static str,
    /// Days with a number of quarter-hours other than 96.
    uneven: &'static [(&'static str, i64)],
    /// A day that was skipped.
    missing: Option<&'static str>,
}

const fn leap(
    zone: chrono_tz::Tz,
    from: &'static str,
    to: &'static str,
    uneven: &'static [(&'static str, i64)],
) -> Leap {
    Leap {
        zone,
        from,
        to,
        uneven,
        missing: None,
    }
}

const LEAPS: [Leap; 22] = [
    leap(
        chrono_tz::Europe::Vienna,
        "2026-03-27",
        "2026-04-02",
        &[("2026-03-29", 92)],
    ),
    leap(
        chrono_tz::Europe::Vienna,
        "2026-10-23",
        "2026-11-02",
        &[("2026-10-25", 100)],
    ),
    leap(
        chrono_tz::Australia::Lord_Howe,
        "2026-04-02",
        "2026-04-08",
        &[("2026-04-05", 98)],
    ),
    leap(
        chrono_tz::Australia::Lord_Howe,
        "2026-09-29",
        "2026-10-07",
        &[("2026-10-04", 94)],
    ),
    leap(
        chrono_tz::America::St_Johns,
        "2026-03-05",
        "2026-03-11",
        &[("2026-03-08", 92)],
    ),
    leap(
        chrono_tz::America::St_Johns,
        "2026-10-29",
        "2026-11-04",
        &[("2026-11-01", 100)],
    ),
    // Its clocks once changed at one minute past midnight: in autumn back into the day before, to which that minute
    // belongs.
    leap(
        chrono_tz::America::St_Johns,
        "2010-03-11",
        "2010-03-17",
        &[("2010-03-14", 92)],
    ),
    leap(
        chrono_tz::America::St_Johns,
        "2010-11-03",
        "2010-11-10",
        &[("2010-11-06", 100)],
    ),
    // The first autumn in which they changed at two o'clock.
    leap(
        chrono_tz::America::St_Johns,
        "2011-11-02",
        "2011-11-09",
        &[("2011-11-06", 100)],
    ),
    // A month that begins in the night of such a change.
    leap(
        chrono_tz::America::St_Johns,
        "2009-10-29",
        "2009-11-04",
        &[("2009-10-31", 100)],
    ),
    leap(
        chrono_tz::America::Asuncion,
        "2024-03-20",
        "2024-03-27",
        &[("2024-03-23", 100)],
    ),
    leap(
        chrono_tz::Asia::Beirut,
        "2025-10-22",
        "2025-10-29",
        &[("2025-10-25", 100)],
    ),
    leap(
        chrono_tz::Africa::Cairo,
        "2025-10-27",
        "2025-11-02",
        &[("2025-10-30", 100)],
    ),
    leap(
        chrono_tz::Pacific::Chatham,
        "2026-04-02",
        "2026-04-08",
        &[("2026-04-05", 100)],
    ),
    leap(
        chrono_tz::Pacific::Chatham,
        "2026-09-24",
        "2026-09-30",
        &[("2026-09-27", 92)],
    ),
    leap(chrono_tz::Asia::Kathmandu, "2024-02-26", "2024-03-03", &[]),
    leap(chrono_tz::Asia::Kathmandu, "2025-12-28", "2026-01-03", &[]),
    leap(
        chrono_tz::Pacific::Apia,
        "2021-04-01",
        "2021-04-06",
        &[("2021-04-04", 100)],
    ),
    leap(
        chrono_tz::Africa::Cairo,
        "2026-04-21",
        "2026-04-27",
        &[("2026-04-24", 92)],
    ),
    leap(
        chrono_tz::America::Santiago,
        "2026-09-04",
        "2026-09-09",
        &[("2026-09-06", 92)],
    ),
    // Its midnight comes twice.
    leap(
        chrono_tz::America::Havana,
        "2026-10-29",
        "2026-11-04",
        &[("2026-11-01", 100)],
    ),
    Leap {
        missing: Some("2011-12-30"),
        ..leap(chrono_tz::Pacific::Apia, "2011-12-27", "2012-01-02", &[])
    },
];

async fn grouped(house: &House, bucket: &str) -> Vec<(Value, i64)> {
    let asked =
        json!({"target": TARGET, "group_by": [format!("start_at:{bucket}")], "budget": 25_000});
    let answer = house.query(asked).await;
    assert_eq!(answer["matched"], answer["returned"]);
    let groups = rows(&answer).into_iter();
    groups
        .map(|row| (row[0].clone(), row[1].as_i64().unwrap()))
        .collect()
}

async fn counted(house: &House, filter: Value) -> i64 {
    let asked =
        json!({"target": TARGET, "where": {"start_at": filter}, "aggregate": {"n": "count"}});
    rows(&house.query(asked).await)[0][0].as_i64().unwrap()
}

#[actix_rt::test]
async fn days_are_as_long_as_they_are_where_clocks_leap() {
    let mut house = House::build().await;
    let watch = house.connect(TARGET, "Watch").await;
    for leap in &LEAPS {
        let sql = format!(
            "DELETE FROM {TARGET};
             INSERT INTO {TARGET} (id, user_id, connection_id, source_id, metric, value, start_at)
             SELECT md5(at::text)::uuid, '{OPERATOR}', '{watch}', at::text, 'beats', 1, at
             FROM generate_series('{} 12:00Z'::timestamptz, '{} 11:45Z'::timestamptz, '15 minutes') AS at",
            leap.from, leap.to
        );
        house.owner.batch_execute(&sql).await.unwrap();
        house.move_to(leap.zone, format!("{}T12:00:00Z", leap.to).parse().unwrap());
        let zone = leap.zone;
        let days = grouped(&house, "day").await;
        let total: i64 = days.iter().map(|(_, count)| count).sum();
        for (number, (day, count)) in days.iter().enumerate() {
            assert_eq!(counted(&house, day.clone()).await, *count, "{zone} {day}");
            let own = leap.uneven.iter().find(|(uneven, _)| day == uneven);
            // The first and the last day are incomplete, since the samples run from noon to noon in UTC.
            if number > 0 && number + 1 < days.len() {
                assert_eq!(
                    *count,
                    own.map_or(96, |(_, quarters)| *quarters),
                    "{zone} {day}"
                );
            }
            let until = counted(&house, json!({"lt": day})).await;
            let behind = counted(&house, json!({"gt": day})).await;
            assert_eq!(until + count + behind, total, "{zone} {day}");
        }
        if let Some(missing) = leap.missing {
            assert!(days.iter().all(|(day, _)| day != missing));
            assert_eq!(counted(&house, json!(missing)).await, 0);
        }
        hours_are_whole(&house, zone, total).await;
        for bucket in ["week", "month", "quarter", "year", "weekday"] {
            let groups = grouped(&house, bucket).await;
            assert_eq!(groups, of_days(&days, bucket), "{zone} {bucket}");
        }
    }
}

/// The days summed up in larger buckets.
fn of_days(days: &[(Value, i64)], bucket: &str) -> Vec<(Value, i64)> {
    let mut groups: BTreeMap<(u32, String), i64> = BTreeMap::new();
    for (day, count) in days {
        let day: NaiveDate = day.as_str().unwrap().parse().unwrap();
        let first = match bucket {
            "week" => day.week(Weekday::Mon).first_day(),
            "month" => day.with_day(1).unwrap(),
            "quarter" => day
                .with_day(1)
                .unwrap()
                .with_month0(day.month0() / 3 * 3)
                .unwrap(),
            "year" => day.with_ordinal(1).unwrap(),
            _ => {
                let number = day.weekday().number_from_monday();
                *groups.entry((number, String::new())).or_default() += count;
                continue;
            }
        };
        *groups.entry((0, first.to_string())).or_default() += count;
    }
    let value = |(number, first): (u32, String)| match number {
        0 => json!(first),
        number => json!(number),
    };
    groups
        .into_iter()
        .map(|(key, count)| (value(key), count))
        .collect()
}

/// Each hour begins at a full hour of local time, occurs once, and has no more than its four quarters.
async fn hours_are_whole(house: &House, zone: chrono_tz::Tz, total: i64) {
    let hours = grouped(house, "hour").await;
    let sum: i64 = hours.iter().map(|(_, count)| count).sum();
    assert_eq!(sum, total, "{zone}");
    for (hour, count) in &hours {
        let hour = hour.as_str().unwrap();
        assert!(hour.contains(":00:00"), "{zone} {hour}");
        assert!((1..=4).contains(count), "{zone} {hour}: {count}");
    }
    let mut distinct: Vec<String> = hours.iter().map(|(hour, _)| hour.to_string()).collect();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), hours.len(), "{zone}");
}
