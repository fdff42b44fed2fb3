//! `?outcomes=true`: what became of each record of a push.

use serde_json::{Value, json};

use super::{Device, coffee, counts};
use crate::support::TestApp;
use crate::support::generated;

const BOTH: &str = "?partial=true&outcomes=true";
/// More than one statement stores, and more than one piece of the answer holds.
const MANY: usize = 5_000;
const COUNTED: [&str; 4] = ["inserted", "updated", "unchanged", "deleted"];

/// Pushes a JSON body; the answer names an outcome for each record.
async fn told(device: &Device<'_>, query: &str, body: &Value) -> Value {
    let json_type = ("content-type", "application/json");
    let body = body.to_string().into_bytes();
    device.send(query, &[json_type], body).await.expect(200)
}

async fn told_of_lines(device: &Device<'_>, steps: &[Value]) -> Value {
    let lines: String = steps.iter().map(|step| format!("{step}\n")).collect();
    let lines_type = ("content-type", "application/x-ndjson");
    let body = lines.into_bytes();
    device.send(BOTH, &[lines_type], body).await.expect(200)
}

fn words(answer: &Value) -> Vec<&str> {
    let words = answer["outcomes"].as_array().unwrap().iter();
    words.map(|word| word.as_str().unwrap()).collect()
}

/// How often each word that has a count is among them.
fn counted(answer: &Value) -> [u64; 4] {
    let words = words(answer);
    COUNTED.map(|name| words.iter().filter(|word| **word == name).count() as u64)
}

fn gone(id: &str) -> Value {
    json!({ "id": id, "_deleted": true })
}

#[actix_web::test]
async fn each_record_has_its_word_in_the_order_of_the_push() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    device
        .store(json!([
            coffee("a", 1.0),
            coffee("b", 1.0),
            coffee("c", 1.0)
        ]))
        .await;
    let bad = json!({ "id": "bad", "amount": "much" });
    let body = json!({
        "records": [coffee("new", 1.0), bad, coffee("b", 1.0), coffee("a", 2.0), json!(7)],
        "deleted": ["nothing", "c", {}],
    });
    let answer = told(&device, BOTH, &body).await;
    // Members are sent sorted here: `deleted` stands before `records`.
    let of_deleted = ["unchanged", "deleted", "rejected"];
    let of_records = ["inserted", "rejected", "unchanged", "updated", "rejected"];
    assert_eq!(words(&answer), [&of_deleted[..], &of_records].concat());
    let rejected = answer["rejected"].as_array().unwrap().iter();
    let places: Vec<&Value> = rejected.map(|problem| &problem["index"]).collect();
    assert_eq!(places, [2, 4, 7]);
    assert_eq!(counts(&answer), [1, 1, 1, 1]);
    let text = format!(
        r#"{{"records":{},"deleted":{}}}"#,
        json!([coffee("b", 1.0), coffee("d", 1.0)]),
        json!(["a", "a"])
    );
    let json_type = ("content-type", "application/json");
    let answer = device
        .send("?outcomes=true", &[json_type], text.into_bytes())
        .await
        .expect(200);
    assert_eq!(
        words(&answer),
        ["unchanged", "inserted", "deleted", "unchanged"]
    );
    assert_eq!(counts(&answer), [1, 0, 1, 1]);
}

#[actix_web::test]
async fn of_several_records_of_one_id_each_has_its_own_word() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    for (steps, expected) in [
        (
            vec![
                coffee("a", 1.0),
                coffee("a", 1.0),
                coffee("b", 1.0),
                coffee("a", 2.0),
            ],
            vec!["inserted", "unchanged", "inserted", "updated"],
        ),
        (
            vec![coffee("a", 3.0), coffee("a", 4.0), coffee("a", 4.0)],
            vec!["updated", "updated", "unchanged"],
        ),
        (
            vec![gone("a"), gone("a"), coffee("a", 4.0), gone("z"), gone("b")],
            vec!["deleted", "unchanged", "updated", "unchanged", "deleted"],
        ),
        (
            vec![coffee("a", 9.0), coffee("a", 4.0)],
            vec!["unchanged", "unchanged"],
        ),
    ] {
        let answer = told_of_lines(&device, &steps).await;
        assert_eq!(words(&answer), expected);
        let deletions_of_nothing = steps
            .iter()
            .zip(&expected)
            .filter(|(step, word)| step["_deleted"] == json!(true) && **word == "unchanged")
            .count() as u64;
        let mut counted = counted(&answer);
        counted[2] -= deletions_of_nothing;
        assert_eq!(counted, counts(&answer));
    }
}

#[actix_web::test]
async fn a_mail_that_no_name_is_left_for_is_rejected_with_those_that_repeat_it() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "mail.messages").await;
    let mail = |subject: &str, text: &str| {
        json!({ "id": "m", "message_id": "m", "subject": subject, "body_text": text,
            "sent_at": "2026-03-01T10:00:00Z" })
    };
    let full: Vec<Value> = (0..16)
        .map(|ordinal| mail(&ordinal.to_string(), "Text"))
        .collect();
    let answer = told_of_lines(&device, &full).await;
    assert_eq!(words(&answer), ["inserted"; 16]);
    let steps = [
        mail("More", "One"),
        mail("15", "Text"),
        mail("More", "Two"),
        mail("15", "Other text"),
        mail("More", "Two"),
    ];
    let answer = told_of_lines(&device, &steps).await;
    assert_eq!(
        words(&answer),
        ["rejected", "unchanged", "rejected", "updated", "rejected"]
    );
    assert_eq!(counts(&answer), counted(&answer));
}

#[actix_web::test]
async fn the_words_of_every_table_are_its_counts_and_a_replay_is_all_unchanged() {
    let app = TestApp::start().await;
    for table in generated::pushable() {
        let device = Device::of(&app, &table.target()).await;
        let of = |numbers: &[u32]| -> Vec<Value> {
            numbers
                .iter()
                .map(|number| generated::record(table, *number))
                .collect()
        };
        let first = of(&[1, 2, 2, 3, 1]);
        let answer = told_of_lines(&device, &first).await;
        assert_eq!(counted(&answer), counts(&answer), "{}", table.target());
        assert!(!words(&answer).contains(&"rejected"), "{answer}");
        let mut mixed = of(&[1, 4, 3, 5, 4]);
        mixed.insert(3, json!({ "no such": "record", "_deleted": 7 }));
        let answer = told_of_lines(&device, &mixed).await;
        assert_eq!(counted(&answer), counts(&answer), "{}", table.target());
        assert_eq!(words(&answer)[3], "rejected");
        let answer = told_of_lines(&device, &of(&[5, 1, 2, 3, 4])).await;
        assert_eq!(words(&answer), ["unchanged"; 5], "{}", table.target());
    }
}

#[actix_web::test]
async fn without_it_nothing_is_added_and_many_are_one_list() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let many: Vec<Value> = (0..MANY)
        .map(|number| coffee(&number.to_string(), 1.0))
        .collect();
    let answer = told(&device, "?outcomes=true", &json!(many)).await;
    assert_eq!(words(&answer), vec!["inserted"; MANY]);
    let without = told(&device, "?outcomes=false", &json!(many)).await;
    let mut with = told(&device, "?outcomes=true", &json!(many)).await;
    assert_eq!(words(&with), vec!["unchanged"; MANY]);
    with.as_object_mut().unwrap().remove("outcomes");
    assert_eq!(with, without);
    let none = told(&device, "?outcomes=true", &json!([])).await;
    assert_eq!(none["outcomes"], json!([]));
    let body = json!([]).to_string().into_bytes();
    let json_type = ("content-type", "application/json");
    let refused = device
        .send("?outcomes=some", &[json_type], body)
        .await
        .expect(400);
    assert_eq!(refused["error"], "invalid");
}
