//! The sample household as it is generated, before anything stores it: on any day, in any zone, one story over all
//! sectors.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use serde_json::{Value, json};
use sextant::catalog;
use sextant::ingest::decode::{BodyFormat, Encoding};
use sextant::ingest::{PushDestination, Rejects, SpoolFolder, prepare};
use sextant::sample::household;
use sextant_actors::domain::OPERATOR;
use uuid::Uuid;

const BERLIN: Tz = chrono_tz::Europe::Berlin;
/// Leap days and their neighbours, clock changes, the year's ends, a month's 31st; and each weekday.
const MOMENTS: [&str; 14] = [
    "2028-02-27T12:00:00Z",
    "2028-02-29T12:00:00Z",
    "2027-02-28T23:30:00Z",
    "2028-03-01T00:05:00Z",
    "2026-03-29T01:30:00Z",
    "2026-10-25T00:59:00Z",
    "2026-12-31T22:59:59Z",
    "2027-01-01T00:00:00Z",
    "2026-05-31T04:00:00Z",
    "2026-07-14T18:00:00Z",
    "2026-07-15T18:00:00Z",
    "2026-07-16T03:00:00Z",
    "2026-07-17T18:00:00Z",
    "2026-07-18T18:00:00Z",
];
const ZONES: [Tz; 4] = [
    BERLIN,
    chrono_tz::America::New_York,
    chrono_tz::Asia::Kathmandu,
    chrono_tz::Australia::Lord_Howe,
];

type Shares = BTreeMap<&'static str, Vec<Value>>;

fn at(moment: &str, zone: Tz) -> Shares {
    let shares = household(moment.parse().unwrap(), zone).unwrap();
    shares
        .into_iter()
        .map(|share| (share.target, share.records))
        .collect()
}

fn everywhere(mut holds: impl FnMut(DateTime<Utc>, Tz, &Shares)) {
    for moment in MOMENTS {
        for zone in ZONES {
            holds(moment.parse().unwrap(), zone, &at(moment, zone));
        }
    }
}

fn text<'a>(record: &'a Value, name: &str) -> &'a str {
    record[name]
        .as_str()
        .unwrap_or_else(|| panic!("{name} of {record}"))
}

fn instant(record: &Value, name: &str) -> DateTime<Utc> {
    text(record, name).parse().unwrap()
}

#[test]
fn there_are_about_two_thousand_records_over_the_six_sectors_whatever_the_day() {
    everywhere(|now, zone, shares| {
        let total: usize = shares.values().map(Vec::len).sum();
        assert!(
            (1_800..=2_300).contains(&total),
            "{total} at {now} in {zone}"
        );
        for (target, least) in [
            ("finance.accounts", 5),
            ("finance.transactions", 520),
            ("finance.holdings", 48),
            ("mail.messages", 150),
            ("calendar.series", 45),
            ("contacts.people", 35),
            ("contacts.groups", 5),
            ("health.samples", 400),
            ("health.sleeps", 85),
            ("health.recoveries", 85),
            ("health.workouts", 28),
            ("home.entities", 25),
            ("home.history", 230),
        ] {
            let found = shares[target].len();
            assert!(found >= least, "{found} in {target} at {now} in {zone}");
        }
    });
}

#[test]
fn ingest_refuses_none_of_them_whatever_the_day() {
    everywhere(|now, zone, shares| {
        for (target, records) in shares {
            let to = PushDestination {
                user: OPERATOR,
                connection: Uuid::nil(),
                table: catalog::by_target(target).unwrap(),
                zone,
                now,
            };
            let body = json!(records).to_string();
            let shape = (Encoding::Identity, BodyFormat::Json);
            let read = prepare(
                body.as_bytes(),
                shape,
                (u64::MAX, &SpoolFolder::default()),
                &to,
                Rejects::Listed,
            )
            .unwrap();
            assert!(
                read.problems.is_empty(),
                "{target} at {now}: {:?}",
                read.problems
            );
        }
    });
}

/// Every member of a record is a field of its table, or a nested record: nothing is stored as `extra` only.
#[test]
fn every_member_is_a_field() {
    for (target, records) in at(MOMENTS[0], BERLIN) {
        let table = catalog::by_target(target).unwrap();
        let nested = table
            .fields
            .iter()
            .filter_map(|field| field.reference?.nested);
        let parts = table.parts.iter().map(|part| part.name);
        let known: BTreeSet<&str> = table
            .fields
            .iter()
            .map(|field| field.name)
            .chain(nested)
            .chain(parts)
            .chain(["id"])
            .collect();
        for record in records {
            for name in record.as_object().unwrap().keys() {
                assert!(known.contains(name.as_str()), "{target}.{name}");
            }
        }
    }
}

#[test]
fn each_id_is_there_once_and_every_reference_leads_somewhere() {
    everywhere(|now, _, shares| {
        let mut ids: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (target, records) in shares {
            let known = ids.entry(target).or_default();
            for record in records {
                let id = text(record, "id");
                assert!(id.starts_with("sample-"), "{id}");
                assert!(known.insert(id), "{target} has {id} twice at {now}");
            }
        }
        for (child, field, parent) in [
            ("finance.transactions", "account_id", "finance.accounts"),
            ("finance.holdings", "account_id", "finance.accounts"),
            ("health.recoveries", "sleep_source_id", "health.sleeps"),
            ("home.history", "entity_id", "home.entities"),
        ] {
            for record in &shares[child] {
                assert!(ids[parent].contains(text(record, field)), "{record}");
            }
        }
        for group in &shares["contacts.groups"] {
            let members = group["member_uids"].as_array().unwrap();
            assert!(
                members
                    .iter()
                    .all(|uid| ids["contacts.people"].contains(uid.as_str().unwrap()))
            );
            assert!(!members.is_empty(), "{group}");
        }
    });
}

#[test]
fn nothing_has_happened_yet_that_lies_ahead_and_something_has_just_now() {
    everywhere(|now, zone, shares| {
        let today = now.with_timezone(&zone).date_naive();
        let fresh = |target: &str, name: &str, days: i64| {
            let newest = shares[target]
                .iter()
                .map(|record| instant(record, name))
                .max()
                .unwrap();
            assert!(newest <= now, "{target} knows the future at {now}");
            assert!(
                newest >= now - chrono::Duration::days(days),
                "{target} is old at {now}"
            );
        };
        fresh("mail.messages", "received_at", 4);
        fresh("health.samples", "start_at", 2);
        fresh("health.sleeps", "end_at", 2);
        fresh("health.recoveries", "measured_at", 2);
        fresh("health.workouts", "end_at", 7);
        fresh("home.history", "changed_at", 1);
        fresh("home.entities", "last_changed", 1);
        let booked = shares["finance.transactions"].iter();
        let newest = booked
            .map(|record| text(record, "booked_on").parse::<NaiveDate>().unwrap())
            .max();
        assert_eq!(newest, Some(today), "the refund is of today");
    });
}

#[test]
fn an_interval_ends_after_it_began() {
    everywhere(|now, _, shares| {
        for target in ["health.sleeps", "health.workouts"] {
            for record in &shares[target] {
                assert!(
                    instant(record, "start_at") < instant(record, "end_at"),
                    "{record} at {now}"
                );
            }
        }
        for event in &shares["calendar.series"] {
            let (from, to) = if event["is_all_day"] == true {
                ("start_date", "end_date")
            } else {
                ("start_at", "end_at")
            };
            assert!(text(event, from) < text(event, to), "{event} at {now}");
        }
    });
}

#[test]
fn answers_come_after_what_they_answer() {
    everywhere(|now, _, shares| {
        let sent: BTreeMap<&str, DateTime<Utc>> = shares["mail.messages"]
            .iter()
            .map(|message| (text(message, "message_id"), instant(message, "sent_at")))
            .collect();
        let mut answers = 0;
        for message in &shares["mail.messages"] {
            for answered in message["in_reply_to"].as_array().unwrap() {
                let before = sent[answered.as_str().unwrap()];
                assert!(before < instant(message, "sent_at"), "{message} at {now}");
                answers += 1;
            }
        }
        assert!(answers >= 30, "{answers} answers at {now}");
    });
}

/// The balance that the bank states equals the opening balance plus all transactions since.
#[test]
fn balances_add_up() {
    everywhere(|now, _, shares| {
        for account in &shares["finance.accounts"] {
            let of_it = shares["finance.transactions"].iter().filter(|moved| {
                moved["account_id"] == account["id"] && moved["status"] == "posted"
            });
            let moved: Vec<&Value> = of_it.collect();
            let cents = |value: &Value| {
                let text = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
                (text.parse::<f64>().unwrap() * 100.0).round() as i64
            };
            for (before, after) in moved.iter().zip(moved.iter().skip(1)) {
                let expected = cents(&before["balance_after"]) + cents(&after["amount"]);
                assert_eq!(cents(&after["balance_after"]), expected, "{after} at {now}");
            }
            let last = moved.last().unwrap();
            assert_eq!(
                cents(&last["balance_after"]),
                cents(&account["balance_current"]),
                "{account}"
            );
        }
    });
}

/// The dentist's letter, the appointment and the payment belong together; so do the two events at the same hour.
#[test]
fn the_crown_is_one_story() {
    everywhere(|now, zone, shares| {
        let event = |title: &str| {
            let found = shares["calendar.series"]
                .iter()
                .find(|event| text(event, "title") == title);
            found.unwrap_or_else(|| panic!("no {title}")).clone()
        };
        let (first, second) = (
            event("Dentist: preparation of the crown"),
            event("Dentist: fitting the crown"),
        );
        let letter = &shares["mail.messages"]
            .iter()
            .find(|mail| text(mail, "id").starts_with("sample-crown-1@"))
            .unwrap();
        for visit in [&first, &second] {
            let local = instant(visit, "start_at").with_timezone(&zone);
            let told = local.format("%A, %-d %B").to_string();
            assert!(
                text(letter, "body_text").contains(&told),
                "{told} is not in {letter}"
            );
            assert!(!matches!(
                local.format("%a").to_string().as_str(),
                "Sat" | "Sun"
            ));
        }
        let paid = shares["finance.transactions"]
            .iter()
            .find(|paid| paid["merchant_name"] == "Zahnarztpraxis Sommer");
        let paid = text(paid.unwrap(), "booked_on")
            .parse::<NaiveDate>()
            .unwrap();
        assert!(
            paid >= instant(&first, "start_at")
                .with_timezone(&zone)
                .date_naive(),
            "at {now}"
        );
        assert!(instant(&second, "start_at") > now);
        let evening = event("Parents' evening 4b");
        assert!(
            instant(&evening, "start_at") < instant(&second, "end_at"),
            "they overlap"
        );
    });
}

#[test]
fn a_later_hour_of_the_day_only_adds() {
    let (morning, evening) = (
        at("2026-07-15T05:00:00Z", BERLIN),
        at("2026-07-15T20:00:00Z", BERLIN),
    );
    assert_eq!(morning, at("2026-07-15T05:00:00Z", BERLIN));
    for (target, records) in morning {
        let later: BTreeSet<&str> = evening[target]
            .iter()
            .map(|record| text(record, "id"))
            .collect();
        for record in &records {
            assert!(later.contains(text(record, "id")), "{record}");
        }
    }
}

#[test]
fn nobody_in_it_can_be_reached() {
    let all = json!(at(MOMENTS[0], BERLIN)).to_string();
    let is_of_address = |letter: char| letter.is_ascii_alphanumeric() || ".-_".contains(letter);
    for (place, _) in all.match_indices('@') {
        let domain = all[place + 1..]
            .split(|letter| !is_of_address(letter))
            .next()
            .unwrap();
        let domain = domain.trim_end_matches('.');
        let is_reserved = ["example.org", "example.com", "example.net"]
            .iter()
            .any(|reserved| domain == *reserved || domain.ends_with(&format!(".{reserved}")));
        assert!(is_reserved, "{domain}");
    }
    for person in &at(MOMENTS[0], BERLIN)["contacts.people"] {
        for phone in person["phones"].as_array().into_iter().flatten() {
            let kept = [
                "+49 30 23125 ",
                "+49 171 39200",
                "+33 1 99 00 ",
                "+33 6 39 98 ",
            ];
            assert!(
                kept.iter()
                    .any(|range| text(phone, "number").starts_with(range)),
                "{phone}"
            );
        }
    }
}

#[test]
fn r508_no_name_in_it_would_be_redacted_from_the_record() {
    fn names(value: &Value, into: &mut BTreeSet<String>) {
        match value {
            Value::Object(members) => members.iter().for_each(|(name, value)| {
                into.insert(name.to_lowercase());
                names(value, into);
            }),
            Value::Array(values) => values.iter().for_each(|value| names(value, into)),
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    names(&json!(at(MOMENTS[0], BERLIN)), &mut found);
    for word in ["pass", "secret", "token", "key", "authorization", "cookie"] {
        assert!(found.iter().all(|name| !name.contains(word)), "{found:?}");
    }
}
