use reqwest::Url;

use super::*;
use crate::guard::{AddressRule, Plaintext};
use crate::limits::KEY_BYTES_MAX;

fn collection(name: Option<&str>) -> DavCollection {
    let url = Url::parse("https://dav.test/op/cal/").unwrap();
    let rule = AddressRule::of_typed(&url, Plaintext::Refused).unwrap();
    DavCollection {
        address: rule.judge(&url).unwrap(),
        key: "/op/cal".to_owned(),
        name: name.map(str::to_owned),
        color: None,
        sync_token: None,
        ctag: None,
    }
}

fn event(uid: &str, more: &str) -> String {
    format!(
        "BEGIN:VEVENT\r\nUID:{uid}\r\nDTSTART:20260105T090000Z\r\nSUMMARY:t\r\n{more}END:VEVENT\r\n"
    )
}

fn read_calendar(key: &str, components: &str) -> BodyRecords {
    let body = format!("BEGIN:VCALENDAR\r\n{components}END:VCALENDAR\r\n");
    read(DavKind::Calendar, &collection(None), key, &body)
}

#[test]
fn the_parts_of_a_series_are_called_by_their_resource() {
    let exception = event("u", "RECURRENCE-ID:20260112T090000Z\r\n");
    let read = read_calendar("/k", &(exception + &event("u", "RRULE:FREQ=WEEKLY\r\n")));
    let ids: Vec<_> = read.records.iter().map(|one| &one.source_id).collect();
    assert_eq!(ids, ["/k#2026-01-12T09:00:00Z", "/k"]);
    let [exception, master] = &read.records[..] else {
        panic!("two records");
    };
    assert_eq!(exception.fields["series_source_id"], "/k");
    assert_eq!(master.fields.get("series_source_id"), None);
    assert_eq!(master.fields["calendar"]["id"], "/op/cal");
    assert_eq!(master.fields["calendar"]["name"], "cal");
    assert!(master.fields.contains_key("raw_ical") && !master.fields.contains_key("id"));
}

#[test]
fn ids_are_free_and_within_the_limit() {
    let two = event("a", "") + &event("b", "");
    let ids = |key: &str| {
        let records = read_calendar(key, &two).records.into_iter();
        records.map(|one| one.source_id).collect::<Vec<_>>()
    };
    assert_eq!(ids("/k"), ["/k", "/k~2"]);
    let long = ids(&"k".repeat(KEY_BYTES_MAX));
    assert!(long.iter().all(|id| id.len() <= KEY_BYTES_MAX) && long[0] != long[1]);
}

#[test]
fn what_has_no_table_is_not_unread() {
    let todo = "BEGIN:VTODO\r\nUID:a\r\nEND:VTODO\r\n";
    let read = read_calendar("/k", todo);
    assert!(read.records.is_empty() && !read.is_partly_unread);
    let read = read_calendar(
        "/k",
        &(event("a", "") + "BEGIN:VEVENT\r\nUID:b\r\nEND:VEVENT\r\n"),
    );
    assert_eq!((read.records.len(), read.is_partly_unread), (1, true));
    for nothing in ["", "hello", "<html>"] {
        let read = super::read(DavKind::Contacts, &collection(None), "/k", nothing);
        assert!(read.records.is_empty() && read.is_partly_unread);
    }
}

#[test]
fn a_collection_is_the_same_wherever_it_lies() {
    let item = container(DavKind::Calendar, &collection(Some("Home")));
    let other = container(DavKind::Calendar, &collection(Some("Work")));
    assert_ne!(item.version, other.version);
    assert_eq!(item.holds.as_deref(), Some("/op/cal"));
    assert!(!format!("{:?}", item.records).contains("dav.test"));
    assert!(
        container(DavKind::Contacts, &collection(None))
            .records
            .is_empty()
    );
}
