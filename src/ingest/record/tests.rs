use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::catalog;

fn reader(target: &str) -> RecordReader {
    RecordReader::new(&PushDestination {
        user: Uuid::nil(),
        connection: Uuid::from_u128(7),
        table: catalog::by_target(target).unwrap(),
        zone: Tz::Europe__Vienna,
        now: "2026-03-05T23:30:00Z".parse().unwrap(),
    })
}

fn root(target: &str, sent: Value) -> Result<PushedRecord, FieldFault> {
    match reader(target).read(0, &sent)? {
        PushStep::Store(root) => Ok(*root),
        PushStep::Delete(_) => panic!("a deletion"),
    }
}

#[test]
fn known_fields_become_columns_and_unknown_ones_are_kept() {
    let sent = json!({"id": "t1", "amount": -3, "booked_on": "2026-01-02", "mood": "\0fine", "account_id": "acc"});
    let root = root("finance.transactions", sent).unwrap();
    assert_eq!(root.row.source_id, "t1");
    assert_eq!(
        root.row.columns,
        *json!({"amount": -3, "booked_on": "2026-01-02"})
            .as_object()
            .unwrap()
    );
    assert_eq!(
        root.row.references,
        [("account_id".to_owned(), "acc".to_owned())]
    );
    assert_eq!(root.row.extra.unwrap()["mood"], "\u{fffd}fine");
}

#[test]
fn a_fault_names_its_field_also_inside_a_parent_or_a_part() {
    for (target, sent, field) in [
        (
            "finance.transactions",
            json!({"amount": "$120", "booked_on": "2026-01-02"}),
            "amount",
        ),
        ("finance.transactions", json!({"amount": 1}), "booked_on"),
        (
            "finance.transactions",
            json!({"amount": 1, "booked_on": "2026-01-02", "account": {"id": "a"}}),
            "account.name",
        ),
        (
            "finance.transactions",
            json!({"amount": 1, "booked_on": "2026-01-02", "account": "a"}),
            "account",
        ),
        (
            "mail.messages",
            json!({"subject": "x", "attachments": [{"size": "big"}]}),
            "attachments[0].size",
        ),
        ("calendar.series", json!({"title": "x"}), "start_at"),
        (
            "calendar.series",
            json!({"start_at": "2026-01-02T03:00:00", "time_zone": "Mars/Olympus"}),
            "time_zone",
        ),
        (
            "health.samples",
            json!({"metric": "weight", "value": 3, "unit": "parsec", "start_at": "2026-01-02T03:00:00Z"}),
            "unit",
        ),
    ] {
        assert_eq!(root(target, sent).unwrap_err().field, field, "{target}");
    }
}

#[test]
fn a_nested_parent_takes_the_place_of_the_reference() {
    let sent = json!({"amount": 1, "booked_on": "2026-01-02", "account_id": "x", "account": {"id": "a", "name": "Current"}});
    let root = root("finance.transactions", sent).unwrap();
    assert!(root.row.references.is_empty());
    assert_eq!(root.parents[0].0, "account_id");
    assert_eq!(root.parents[0].1.source_id, "a");
}

#[test]
fn an_exception_links_to_its_series_and_keeps_its_zone() {
    let sent = json!({"id": "s", "start_at": "2026-03-28T09:00:00", "time_zone": "America/New_York", "rrule": ["RRULE:FREQ=DAILY"],
        "overrides": [{"recurrence_id": "2026-03-29T13:00:00Z", "start_at": "2026-03-29T10:00:00"}]});
    let root = root("calendar.series", sent).unwrap();
    let exception = &root.parts[0].1[0];
    assert_eq!(exception.source_id, "s/2026-03-29T13:00:00Z");
    assert_eq!(exception.columns["series_source_id"], "s");
    assert_eq!(exception.columns["start_at"], "2026-03-29T14:00:00Z");
}

#[test]
fn samples_are_converted_and_what_was_sent_is_kept() {
    let sent =
        json!({"metric": "weight", "value": 150, "unit": "lb", "start_at": "2026-01-02T03:00:00Z"});
    let row = root("health.samples", sent).unwrap().row;
    assert_eq!(row.columns["unit"], "kg");
    assert_eq!(row.extra.unwrap()["value_as_sent"]["unit"], "lb");
}

#[test]
fn natural_names_and_deletions() {
    assert_eq!(
        root("health.days", json!({"day": "2026-01-02", "steps": 5}))
            .unwrap()
            .row
            .source_id,
        "2026-01-02"
    );
    let step = reader("health.days")
        .read(0, &json!({"id": 5, "_deleted": true}))
        .unwrap();
    assert_eq!(
        step,
        PushStep::Delete(Deletion {
            index: 0,
            source_id: "5".to_owned(),
            updated_at: None
        })
    );
    assert_eq!(
        reader("health.days")
            .read(0, &json!({"_deleted": true}))
            .unwrap_err()
            .field,
        "id"
    );
    assert_eq!(
        reader("health.days")
            .read(0, &json!([1]))
            .unwrap_err()
            .message,
        "a record must be an object"
    );
}

#[test]
fn a_bare_rule_is_a_rule() {
    let sent = json!({"id": "s", "start_date": "2026-03-28", "rrule": "FREQ=DAILY;COUNT=2"});
    let row = root("calendar.series", sent).unwrap().row;
    assert_eq!(row.columns["rrule"], json!(["RRULE:FREQ=DAILY;COUNT=2"]));
}
