//! Bytes that are not JSON, or barely: characters, nesting, repeated names; and that no answer repeats what was sent.

use serde_json::{Value, json};
use sextant::ingest::limits::{FIELD_SHOWN_CHARACTERS_MAX, NESTING_MAX};

use super::{Device, coffee, counts, rows};
use crate::support::TestApp;

const JSON: (&str, &str) = ("content-type", "application/json");
const LINES: (&str, &str) = ("content-type", "application/x-ndjson");
/// What no answer may contain.
const PAYLOAD: &str = "PAYLOADPAYLOAD";

/// A coffee whose unknown member `x` is this JSON text.
fn with(id: &str, x: &[u8]) -> Vec<u8> {
    let mut record = coffee(id, -1.0).to_string().into_bytes();
    record.pop();
    [&record, b",\"x\":".as_slice(), x, b"}"].concat()
}

fn array_of(record: &[u8]) -> Vec<u8> {
    [b"[", record, b"]"].concat()
}

fn nested(levels: usize) -> Vec<u8> {
    format!("{}{}", "[".repeat(levels), "]".repeat(levels)).into_bytes()
}

async fn kept(app: &TestApp) -> Vec<Value> {
    rows(
        app,
        "SELECT source_id, extra->'x' AS x FROM finance.transactions ORDER BY 1",
    )
    .await
}

#[actix_web::test]
async fn bytes_that_are_no_text_are_refused_in_each_form_and_a_line_alone_spoils_nothing_else() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let utf16 = |mark: &[u8], place: usize| {
        let text = String::from_utf8(array_of(&with("a", b"1"))).unwrap();
        let units = text
            .bytes()
            .flat_map(|byte| if place == 0 { [byte, 0] } else { [0, byte] });
        [mark, &units.collect::<Vec<u8>>()].concat()
    };
    let broken = [
        with("a", b"\"PAYLOADPAYLOAD\xff\""),
        with("a", b"{\"PAYLOADPAYLOAD\xc3\":1}"),
        with("a", b"\"PAYLOADPAYLOAD\xf0\x9f\x98\""),
        with("a", b"\"PAYLOADPAYLOAD\xed\xa0\x80\""),
        with("a", b"\"PAYLOADPAYLOAD\xc0\xaf\""),
        with("a", b"\"PAYLOADPAYLOAD\n\""),
        with("a", b"\"PAYLOADPAYLOAD\\x\""),
        with("a", b"\"\\u12\""),
        with("a", b"01"),
        with("a", b"NaN"),
        with("a", b"'PAYLOADPAYLOAD'"),
    ];
    for record in &broken {
        let answer = device
            .send("?partial=true", &[JSON], array_of(record))
            .await;
        assert!(!answer.text.contains(PAYLOAD), "{answer:?}");
        let body = answer.expect(400);
        assert!(
            body["message"]
                .as_str()
                .unwrap()
                .starts_with("the body cannot be read: "),
            "{body}"
        );
    }
    for body in [
        utf16(b"\xff\xfe", 0),
        utf16(b"\xfe\xff", 1),
        utf16(b"", 0),
        array_of(b"\0"),
        vec![0xff; 100],
    ] {
        for form in [JSON, LINES] {
            device.send("", &[form], body.clone()).await.expect(400);
        }
    }
    assert!(kept(&app).await.is_empty());
    for record in &broken {
        let lines = [with("a", b"1"), record.clone(), with("b", b"2")].join(&b'\n');
        let answer = device.send("?partial=true", &[LINES], lines).await;
        assert!(!answer.text.contains(PAYLOAD), "{answer:?}");
        let body = answer.expect(200);
        assert_eq!(body["upserted"], 2, "{body}");
        assert!(
            body["rejected"]
                .as_array()
                .unwrap()
                .iter()
                .all(|problem| problem["index"] != 0),
            "{body}"
        );
    }
}

#[actix_web::test]
async fn a_mark_at_the_beginning_and_half_a_surrogate_pair_are_no_reason_to_refuse() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let x = br#"["\ud83d", "\ude00\ud83d", "\ud83d\ude00", "\\ud83d", {"\udbff": "\u0000"}]"#;
    let marked = [b"\xef\xbb\xbf".as_slice(), &array_of(&with("a", x))].concat();
    let stored = device.send("", &[JSON], marked).await.expect(200);
    assert_eq!(counts(&stored), [1, 0, 0, 0]);
    let marked = [b"\xef\xbb\xbf".as_slice(), &with("a", x)].concat();
    let stored = device.send("", &[LINES], marked).await.expect(200);
    assert_eq!(counts(&stored), [0, 0, 1, 0]);
    let expected =
        json!(["\u{fffd}", "\u{fffd}\u{fffd}", "\u{1f600}", "\\ud83d", { "\u{fffd}": "\u{fffd}" }]);
    assert_eq!(
        kept(&app).await,
        [json!({ "source_id": "a", "x": expected })]
    );
}

#[actix_web::test]
async fn nesting_is_kept_to_its_bound_and_refused_by_name_beyond() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let deepest = nested(NESTING_MAX - 1);
    device
        .send("", &[JSON], array_of(&with("json", &deepest)))
        .await
        .expect(200);
    device
        .send("", &[LINES], with("line", &deepest))
        .await
        .expect(200);
    // What is stored is read back unchanged.
    for row in kept(&app).await {
        assert_eq!(row["x"].to_string().len(), deepest.len());
    }
    for levels in [NESTING_MAX, 120] {
        let records = [with("deep", &nested(levels)), with("flat", b"1")];
        let json = array_of(&records.join(&b','));
        for (form, body) in [(JSON, json), (LINES, records.join(&b'\n'))] {
            let refused = device.send("", &[form], body.clone()).await.expect(400);
            assert_eq!(refused["problems"][0]["index"], 0, "{levels}: {refused}");
            assert!(
                refused["problems"][0]["message"]
                    .as_str()
                    .unwrap()
                    .contains("64 levels"),
                "{refused}"
            );
            let partial = device
                .send("?partial=true", &[form], body)
                .await
                .expect(200);
            assert_eq!(partial["upserted"], 1, "{partial}");
        }
    }
    for levels in [200, 100_000] {
        let refused = device
            .send("", &[JSON], array_of(&with("a", &nested(levels))))
            .await
            .expect(400);
        assert!(
            refused["message"].as_str().unwrap().contains("64 levels"),
            "{refused}"
        );
        device
            .send("", &[LINES], with("a", &nested(levels)))
            .await
            .expect(400);
        device.send("", &[JSON], nested(levels)).await.expect(400);
        let ignored = [b"{\"other\":".as_slice(), &nested(levels), b"}"].concat();
        device.send("", &[JSON], ignored).await.expect(400);
    }
}

#[actix_web::test]
async fn of_a_name_twice_in_a_record_the_later_counts_and_a_list_twice_is_both() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let twice = br#"{"records":[{"id":"no","id":"a","amount":"no","amount":-2,"booked_on":"2026-03-01","x":1,"x":2}],
        "deleted":["b"],"deleted":["c"],"records":[{"id":"b","amount":1,"booked_on":"2026-03-01"}]}"#;
    let stored = device.send("", &[JSON], twice.to_vec()).await.expect(200);
    assert_eq!(counts(&stored), [2, 0, 0, 1]);
    let live = rows(
        &app,
        "SELECT source_id, amount::text, extra FROM finance.transactions WHERE deleted_at IS NULL",
    )
    .await;
    assert_eq!(
        live,
        [json!({ "source_id": "a", "amount": "-2.0000", "extra": { "x": 2 } })]
    );
}

#[actix_web::test]
async fn what_was_sent_is_not_said_back() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let long = PAYLOAD.repeat(1_000);
    for body in [
        json!(long),
        json!({ "records": long }),
        json!({ "deleted": long }),
        json!({ "records": { long.as_str(): 1 } }),
        json!({ long.as_str(): [] }),
        json!([long]),
        json!([{ "id": 1, "amount": long, "booked_on": long }]),
        json!([{ "id": long, "amount": 1, "booked_on": "2026-03-01" }]),
        json!([{ "id": 1, "amount": 1, "booked_on": "2026-03-01", "status": long, "updated_at": long }]),
        json!([{ long.as_str(): long }]),
    ] {
        let answer = device.push(body).await;
        assert!(!answer.text.contains(PAYLOAD), "{answer:?}");
        answer.expect(400);
    }
    let monstrous = format!("[{{\"id\":1,\"{long}\":1e999999}}]").into_bytes();
    let refused = device.send("", &[JSON], monstrous).await.expect(400);
    let named = refused["problems"][0]["field"].as_str().unwrap();
    assert_eq!(
        named.chars().count(),
        FIELD_SHOWN_CHARACTERS_MAX + 1,
        "{refused}"
    );
}
