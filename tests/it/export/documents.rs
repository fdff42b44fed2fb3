//! The documents in a bundle, read by independent programs and pushed into another store: they contain what was
//! stored.

use std::collections::BTreeMap;
use std::path::PathBuf;

use chrono::NaiveDate;
use reqwest::Method;
use serde_json::{Value, json};
use sextant_actors::clock::{Clock as _, SystemClock};
use tempfile::TempDir;

use super::bundle::Bundle;
use super::peer::{FILES, read_documents, unpack};
use crate::support::household::{Household, fixtures};
use crate::support::{TestApp, python};

/// Characters that every text field must survive: separators, line ends, starts of messages and formulas, and
/// non-ASCII ones.
const HOSTILE: &str =
    "=1;2,3\\4 \"5\" 'ü' 😀\u{2028}x\nFrom here\n>From there\nBEGIN:VCARD\nEND:VEVENT\n\nlast";

/// One line that is longer than any of the formats allows.
fn long() -> String {
    "Lange Zeile, die niemand so geschrieben hätte; 😀 "
        .repeat(60)
        .trim()
        .to_owned()
}

async fn unpacked(app: &TestApp) -> (Bundle, TempDir) {
    let bundle = Bundle::of(app, "").await;
    let folder = tempfile::tempdir().unwrap();
    unpack(&bundle, folder.path());
    (bundle, folder)
}

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().unwrap()
}

/// The only row or entry with this value.
fn only<'a>(rows: &'a [Value], name: &str, value: &str) -> &'a Value {
    let mut found = rows.iter().filter(|row| row[name] == value);
    let first = found
        .next()
        .unwrap_or_else(|| panic!("no {name} {value} in {rows:?}"));
    assert!(found.next().is_none(), "{value} twice");
    first
}

fn live(bundle: &Bundle, table: &str) -> Vec<Value> {
    let mut rows = bundle.rows(table);
    rows.retain(|row| row["deleted_at"].is_null());
    rows
}

#[actix_web::test]
async fn the_household_is_read_by_others_as_it_is_stored() {
    if !python::installed("export") {
        return;
    }
    let app = TestApp::start().await;
    app.post("/api/sample", json!({})).await.expect(201);
    let (bundle, folder) = unpacked(&app).await;
    let today = SystemClock.now().date_naive();
    let (first, last) = (
        today - chrono::Days::new(200),
        today + chrono::Days::new(200),
    );
    let read = read_documents(folder.path(), first, last).await;

    let inside = |day: &str| day > first.to_string().as_str() && *day < *last.to_string();
    let start = |row: &Value| match row["is_all_day"] == true {
        true => row["start_date"].as_str().unwrap().to_owned(),
        false => row["start_at"].as_str().unwrap().to_owned(),
    };
    let mut expected: Vec<(String, String)> = live(&bundle, "calendar.events")
        .iter()
        .filter(|row| row["status"] != "cancelled")
        .map(|row| (row["title"].as_str().unwrap().to_owned(), start(row)))
        .filter(|(_, start)| inside(&start[..10]))
        .collect();
    let mut occurring: Vec<(String, String)> = list(&read["calendar"], "occurrences")
        .iter()
        .map(|one| {
            (
                one[0].as_str().unwrap().to_owned(),
                one[1].as_str().unwrap().to_owned(),
            )
        })
        .filter(|(_, start)| inside(&start[..10]))
        .collect();
    expected.sort();
    occurring.sort();
    assert!(expected.len() > 300, "{}", expected.len());
    assert_eq!(occurring, expected);

    let people = live(&bundle, "contacts.people");
    let (groups, cards): (Vec<&Value>, Vec<&Value>) = list(&read, "contacts")
        .iter()
        .partition(|card| card["is_group"] == true);
    assert_eq!(
        (cards.len(), groups.len()),
        (people.len(), live(&bundle, "contacts.groups").len())
    );
    for card in cards {
        let person = people
            .iter()
            .find(|person| person["uid"] == card["uid"] || person["source_id"] == card["uid"]);
        let person = person.unwrap_or_else(|| panic!("{card}"));
        assert_eq!(card["full_name"], person["full_name"]);
        for (list, member, field) in [
            ("emails", "address", "emails"),
            ("phones", "number", "phones"),
        ] {
            let stored = person[field].as_array().into_iter().flatten();
            let stored: Vec<&Value> = stored.map(|one| &one[member]).collect();
            assert_eq!(
                card[list].as_array().unwrap().iter().collect::<Vec<_>>(),
                stored,
                "{card}"
            );
        }
    }

    let letters = list(&read, "mail");
    let messages = live(&bundle, "mail.messages");
    assert_eq!(letters.len(), messages.len());
    for message in &messages {
        let id = format!("<{}>", bare(message["message_id"].as_str().unwrap()));
        let letter = only(letters, "message_id", &id);
        assert_eq!(letter["subject"], message["subject"]);
        assert_eq!(
            letter["from"][0],
            json!([
                message["from_name"].as_str().unwrap_or_default(),
                message["from_email"]
            ])
        );
        assert_eq!(letter["date"], message["sent_at"], "{letter}");
        let text = message["body_text"].as_str().unwrap();
        assert_eq!(letter["text"].as_str().unwrap().trim_end(), text.trim_end());
        assert_eq!(letter["status"] == "RO", message["is_read"] == true);
    }

    let booked = live(&bundle, "finance.transactions");
    let cells = list(&read, "transactions");
    assert_eq!(cells.len(), booked.len());
    for row in &booked {
        let line = only(cells, "Transaction ID", row["source_id"].as_str().unwrap());
        assert_eq!(line["Amount"], row["amount"].to_string());
        assert_eq!(line["Booking date"], row["booked_on"]);
        assert_eq!(
            line["Description"],
            row["description"].as_str().unwrap_or_default()
        );
    }
}

/// Pushes one record.
async fn push(app: &TestApp, table: &str, record: Value) {
    let (id, secret) = app.push_connection(table).await;
    let request = app
        .request(Method::POST, &format!("/api/ingest/{id}"))
        .bearer_auth(secret);
    app.send(request.json(&json!({ "records": [record] })))
        .await
        .expect(200);
}

#[actix_web::test]
async fn hostile_texts_stay_texts() {
    if !python::installed("export") {
        return;
    }
    let app = TestApp::start().await;
    let person =
        json!({ "name": "Müller; \"Eva\", x", "email": "eva@example.org", "role": "required" });
    push(&app, "calendar.series", json!({
        "id": "e", "uid": "e@x", "title": long(), "description": HOSTILE, "location": HOSTILE,
        "start_at": "2026-03-01T10:00:00", "end_at": "2026-03-01T11:00:00", "time_zone": "Europe/Berlin",
        "rrule": ["RRULE:FREQ=WEEKLY;COUNT=8", "EXDATE;TZID=Europe/Berlin:20260308T100000"],
        "attendees": [person], "categories": ["a,b", "c;d"],
        "overrides": [{ "id": "e/2", "uid": "e@x", "recurrence_id": "2026-03-29T08:00:00Z", "title": "moved",
            "start_at": "2026-03-29T15:00:00", "end_at": "2026-03-29T16:00:00", "time_zone": "Europe/Berlin" }],
    })).await;
    push(&app, "contacts.people", json!({
        "id": "p", "full_name": "Eva;Müller, 😀", "name_surname": "Müller;x", "name_given": "Eva,\\y", "notes": HOSTILE,
        "nicknames": ["a,b", "c"], "birthday_month": 2, "birthday_day": 29, "organization": "A;B",
        "emails": [{ "address": "eva@example.org", "label": "Ferien; haus", "is_primary": true }],
        "addresses": [{ "street": "Weg 1\nHof", "locality": "Köln", "postcode": "50667", "country": "DE", "label": "home" }],
    })).await;
    push(&app, "mail.messages", json!({
        "id": "m", "message_id": "m@x", "subject": long(), "from_name": "Müller, \"Eva\" <x@y>", "from_email": "eva@example.org",
        "to": [{ "name": "Ö, P", "email": "oe@example.org" }], "body_text": HOSTILE,
        "sent_at": "2026-03-01T10:00:00Z", "received_at": "2026-03-01T10:00:05Z",
    })).await;
    push(&app, "finance.transactions", json!({
        "id": "t", "amount": "-1234567.89", "booked_on": "2026-03-01", "description": HOSTILE, "counterparty_name": "+49",
    })).await;
    let (_, folder) = unpacked(&app).await;
    let read = read_documents(folder.path(), day("2026-01-01"), day("2027-01-01")).await;

    let event = only(list(&read["calendar"], "events"), "title", &long());
    for field in ["description", "location"] {
        assert_eq!(event[field], HOSTILE);
    }
    assert_eq!(event["start"], "2026-03-01T09:00:00+00:00");
    assert_eq!(event["categories"], json!(["a,b", "c;d"]));
    assert_eq!(
        event["names"],
        json!(["Müller; 'Eva', x"]),
        "no form has quotation marks there"
    );
    assert_eq!(event["attendees"], json!(["mailto:eva@example.org"]));
    let starts: Vec<&str> = list(&read["calendar"], "occurrences")
        .iter()
        .map(|one| one[1].as_str().unwrap())
        .collect();
    let mut starts = starts;
    starts.sort_unstable();
    assert_eq!(
        starts,
        [
            "2026-03-01T09:00:00+00:00",
            "2026-03-15T09:00:00+00:00",
            "2026-03-22T09:00:00+00:00",
            "2026-03-29T13:00:00+00:00",
            "2026-04-05T08:00:00+00:00",
            "2026-04-12T08:00:00+00:00",
            "2026-04-19T08:00:00+00:00",
        ]
    );

    let card = only(list(&read, "contacts"), "full_name", "Eva;Müller, 😀");
    assert_eq!(card["names"], json!(["Müller;x", "Eva,\\y", "", "", ""]));
    assert_eq!(
        (&card["notes"], &card["organization"]),
        (&json!(HOSTILE), &json!(["A;B"]))
    );
    assert_eq!(card["birthday"], "1604-02-29");
    assert_eq!(
        card["addresses"][0],
        json!(["Weg 1\nHof", "Köln", "50667", "DE"])
    );

    let letter = only(list(&read, "mail"), "message_id", "<m@x>");
    assert_eq!(letter["subject"], long());
    assert_eq!(letter["text"].as_str().unwrap().trim_end(), HOSTILE);
    assert_eq!(
        letter["from"],
        json!([["Müller, \"Eva\" <x@y>", "eva@example.org"]])
    );
    assert_eq!(letter["to"], json!([["Ö, P", "oe@example.org"]]));

    let line = &list(&read, "transactions")[0];
    assert_eq!(
        line["Description"],
        format!("'{HOSTILE}"),
        "no spreadsheet runs it"
    );
    assert_eq!(
        (&line["Counterparty name"], &line["Amount"]),
        (&json!("'+49"), &json!("-1234567.8900"))
    );
}

#[actix_web::test]
async fn mail_that_was_kept_whole_leaves_as_it_came() {
    if !python::installed("export") {
        return;
    }
    let household = Household::start().await;
    household
        .push([fixtures("mail", "eml"), fixtures("mail", "mbox")].concat())
        .await;
    let (bundle, folder) = unpacked(&household.app).await;
    let read = read_documents(folder.path(), day("2026-01-01"), day("2026-01-02")).await;
    let letters = list(&read, "mail");
    assert_eq!(letters.len(), live(&bundle, "mail.messages").len());
    let statement = "SELECT encode(sha256(convert_to(regexp_replace(
            replace(raw ->> 'message', E'\\r\\n', E'\\n'), E'\\n+$', ''), 'UTF8')), 'hex') AS sha256
        FROM mail.messages WHERE raw ? 'message' AND NOT raw ? 'truncated'";
    let kept = household.rows(statement).await;
    assert!(kept.len() > 20, "{}", kept.len());
    for one in kept {
        let is_there = letters
            .iter()
            .any(|letter| letter["sha256"] == one["sha256"]);
        assert!(is_there, "{one}");
    }
}

/// A Message-ID without the brackets that some devices send.
fn bare(id: &str) -> &str {
    id.trim_start_matches('<').trim_end_matches('>')
}

/// The value normalised: an id with or without its brackets, and not flagged or unknown, are the same.
fn plain(value: &Value) -> Value {
    match value {
        Value::String(text) => json!(bare(text)),
        Value::Array(values) if values.is_empty() => Value::Null,
        Value::Array(values) => values.iter().map(plain).collect(),
        Value::Bool(false) => Value::Null,
        other => other.clone(),
    }
}

/// These fields of a table's live rows, normalised by [`plain`].
fn seen(bundle: &Bundle, table: &str, fields: &[&str]) -> Vec<BTreeMap<String, Value>> {
    let mut rows: Vec<BTreeMap<String, Value>> = live(bundle, table)
        .iter()
        .map(|row| {
            fields
                .iter()
                .map(|field| ((*field).to_owned(), plain(&row[*field])))
                .collect()
        })
        .collect();
    rows.sort_by_key(|row| json!(row).to_string());
    rows
}

#[actix_web::test]
async fn r110_what_is_exported_and_pushed_again_is_the_same_to_see() {
    let app = TestApp::start().await;
    app.post("/api/sample", json!({})).await.expect(201);
    let (bundle, folder) = unpacked(&app).await;
    let other = Household::start().await;
    let files: Vec<PathBuf> = FILES.iter().map(|name| folder.path().join(name)).collect();
    let (is_all_stored, report) = other.push(files).await;
    assert!(is_all_stored, "{report}");
    let again = Bundle::of(&other.app, "").await;
    for (table, fields) in [
        (
            "calendar.events",
            &[
                "title",
                "description",
                "location",
                "start_at",
                "end_at",
                "start_date",
                "end_date",
                "is_all_day",
                "status",
                "time_zone",
            ][..],
        ),
        (
            "contacts.people",
            &[
                "full_name",
                "name_given",
                "name_surname",
                "organization",
                "title",
                "birthday_month",
                "birthday_day",
                "birthday_year",
                "notes",
                "nicknames",
                "categories",
            ],
        ),
        (
            "mail.messages",
            &[
                "subject",
                "from_name",
                "from_email",
                "to",
                "sent_at",
                "message_id",
                "in_reply_to",
                "is_read",
                "is_flagged",
            ],
        ),
        (
            "finance.transactions",
            &[
                "booked_on",
                "amount",
                "currency",
                "counterparty_name",
                "category",
                "reference",
                "status",
            ],
        ),
    ] {
        let (was, is) = (seen(&bundle, table, fields), seen(&again, table, fields));
        assert_eq!(is.len(), was.len(), "{table}");
        for (was, is) in was.iter().zip(&is) {
            assert_eq!(is, was, "{table}");
        }
    }
}
