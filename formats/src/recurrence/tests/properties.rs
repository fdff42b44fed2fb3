//! What holds of any rule, from any start, in any zone.

use proptest::prelude::*;

use super::*;

/// Rules of every kind, sensible or not.
fn any_rule() -> impl Strategy<Value = String> {
    let frequency = prop::sample::select(vec![
        "YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY",
    ]);
    let parts = prop::sample::subsequence(
        vec![
            "BYMONTH=1,6,12",
            "BYWEEKNO=1,-1,20",
            "BYYEARDAY=1,-1,100",
            "BYMONTHDAY=1,15,-1,31",
            "BYDAY=MO,-1FR,SU",
            "BYHOUR=0,2,13",
            "BYMINUTE=0,30",
            "BYSECOND=0,59",
            "BYSETPOS=1,-2",
            "WKST=SU",
            "COUNT=40",
            "UNTIL=20300101",
        ],
        0..5,
    );
    (frequency, 1_u32..40, parts).prop_map(|(frequency, interval, parts)| {
        let parts: String = parts.iter().map(|part| format!(";{part}")).collect();
        format!("RRULE:FREQ={frequency};INTERVAL={interval}{parts}")
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_expansion_is_ordered_unique_bounded_and_stable(
        rule in any_rule(),
        seconds in 0_i64..1_900_000_000,
        zone in prop::sample::select(chrono_tz::TZ_VARIANTS.to_vec()),
    ) {
        let start = DateTime::from_timestamp(seconds, 0).unwrap();
        let timing = EventTiming::Timed { start, end: None, zone: Some(zone) };
        let series = series(timing, &[&rule]);
        let expansion = expanded(&series);
        prop_assert_eq!(&expansion, &expanded(&series));
        prop_assert!(expansion.occurrences.len() <= OCCURRENCES_MAX);
        let starts: Vec<_> = expansion.occurrences.iter().map(|it| it.when.starts()).collect();
        prop_assert!(starts.windows(2).all(|pair| pair[0] < pair[1]));
        prop_assert!(starts.iter().all(|at| *at >= start));
        if let Some(Covers { from: Some(from), to }) = expansion.covers {
            prop_assert!(starts.iter().all(|at| from <= *at && *at < to));
        } else {
            prop_assert_eq!(starts.first(), Some(&start));
        }
    }

    #[test]
    fn a_later_roll_agrees_where_the_windows_meet(
        rule in any_rule(),
        seconds in 0_i64..1_900_000_000,
        days in 1_i64..900,
    ) {
        let start = DateTime::from_timestamp(seconds, 0).unwrap();
        let timing = EventTiming::Timed { start, end: None, zone: Some(chrono_tz::Pacific::Chatham) };
        let series = series(timing, &[&rule]);
        let earlier = expanded(&series);
        let now = at(NOW) + chrono::TimeDelta::days(days);
        let later = expand(&series, chrono_tz::UTC, now).unwrap();
        let from = later.covers.and_then(|covers| covers.from).unwrap_or(DateTime::<Utc>::MIN_UTC);
        let to = earlier.covers.map_or(DateTime::<Utc>::MAX_UTC, |covers| covers.to);
        let shared = |expansion: &Expansion| -> Vec<String> {
            let is_shared = |it: &&Occurrence| from <= it.when.starts() && it.when.starts() < to;
            let shared = expansion.occurrences.iter().filter(is_shared);
            shared.map(|it| it.original_start.clone()).collect()
        };
        prop_assert_eq!(shared(&earlier), shared(&later));
    }

    #[test]
    fn no_text_makes_it_fall(line in "(RRULE|RDATE|EXDATE|EXRULE|DURATION)?[;:=A-Z0-9/,\"\\-+]{0,60}") {
        let start = timed("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "UTC");
        let _ = expand(&series(start, &[&line]), chrono_tz::UTC, at(NOW));
    }
}
