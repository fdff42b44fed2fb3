//! What a check and a run do.

use serde_json::json;

use super::{BANK, BOOKINGS, CALENDAR, Upload, counts, rows};
use crate::support::TestApp;

const CONTACT: &str = "contacts/001.vcf";
/// The first is sound; the second has an id that is no text, which the service refuses.
const RECORDS: &str = "{\"target\":\"home.entities\",\"id\":\"a\",\"entity_id\":\"light.a\",\"state\":\"on\"}\n\
    {\"target\":\"home.entities\",\"id\":\"b\",\"entity_id\":{},\"state\":\"on\"}\n";

#[actix_web::test]
async fn a_check_says_everything_and_stores_nothing_and_a_run_stores_it_once() {
    let app = TestApp::start().await;
    let upload = Upload::open(&app).await;
    upload.put_fixtures(&[CALENDAR, BANK, CONTACT]).await;
    upload.put("records.jsonl", RECORDS).await;
    let checked = upload.check().await;
    assert_eq!(checked["state"], "checked", "{checked}");
    assert_eq!(counts(&checked["totals"]), [6, 0, 0, 0, 1], "{checked}");
    let refusal = &checked["refusals"][0];
    assert_eq!(
        (&refusal["path"], &refusal["line"]),
        (&json!("records.jsonl"), &json!(2))
    );
    assert!(
        refusal["reason"].as_str().unwrap().starts_with("entity_id"),
        "{refusal}"
    );
    for table in checked["tables"].as_array().unwrap() {
        assert!(table["connectionId"].is_null(), "{table}");
    }
    let connections = app.connections().await;
    assert_eq!(connections, json!([]), "a check makes nothing");
    assert_eq!(rows(&app, "finance.transactions").await, 0);
    let needs = app.get("/api/status").await.expect(200)["attention"].clone();
    assert_eq!(needs[0]["kind"], "upload_waiting", "{needs}");
    assert_eq!(needs[0]["ref"], json!(upload.id), "{needs}");

    let done = upload.run().await;
    assert_eq!(done["state"], "done", "{done}");
    assert_eq!(counts(&done["totals"]), [6, 6, 0, 0, 1], "{done}");
    assert_eq!(rows(&app, "finance.transactions").await, 3);
    let again = upload.run().await;
    assert_eq!(counts(&again["totals"]), [6, 0, 0, 6, 1], "{again}");
    let needs = app.get("/api/status").await.expect(200)["attention"].clone();
    assert_eq!(needs, json!([]));
    let connections = app.connections().await;
    let connections = connections.as_array().unwrap();
    assert_eq!(connections.len(), 4, "the second run makes none");
    for connection in connections {
        assert_eq!(connection["hasIngestSecret"], false, "{connection}");
        assert_eq!(connection["isSample"], false, "{connection}");
    }
}

/// Both leave one `ingest` row a batch, with the connection's sector and id, and the same number of records.
#[actix_web::test]
async fn many_small_files_are_one_batch_and_leave_the_audit_row_of_a_push() {
    let app = TestApp::start().await;
    let upload = Upload::open(&app).await;
    for number in 0..40 {
        let text = format!(
            "From: a@example.com\r\nSubject: {number}\r\nDate: Mon, 1 Jun 2026 10:00:00 +0000\r\nMessage-ID: <{number}@x>\r\n\r\nHello\r\n"
        );
        upload.put(&format!("mail/{number}.eml"), text).await;
    }
    let done = upload.run().await;
    assert_eq!(counts(&done["totals"]), [40, 40, 0, 0, 0], "{done}");
    assert_eq!(
        (
            &done["totals"]["files"],
            done["files"].as_array().unwrap().len()
        ),
        (&json!(40), 40)
    );
    let audit = app.audit_rows(1).await;
    assert_eq!(audit.len(), 1, "{audit:?}");
    let connection = &done["tables"][0]["connectionId"];
    let row = &audit[0];
    assert_eq!(
        (&row["tool"], &row["decision"]),
        (&json!("ingest"), &json!("allow")),
        "{row}"
    );
    assert_eq!(
        (&row["sector"], &row["result_count"]),
        (&json!("mail"), &json!(40)),
        "{row}"
    );
    assert_eq!(&row["args"]["connectionId"], connection, "{row}");
    let id = connection.as_str().unwrap();
    let pushes = app
        .get(&format!("/api/connections/{id}/pushes"))
        .await
        .expect(200);
    assert_eq!(pushes["rows"].as_array().unwrap().len(), 1, "{pushes}");
}

#[actix_web::test]
async fn folders_mailboxes_and_archives_go_through_the_same_walk() {
    let app = TestApp::start().await;
    let upload = Upload::open(&app).await;
    let message = |number: u32| {
        format!(
            "From: a@example.com\r\nSubject: {number}\r\nDate: Mon, 1 Jun 2026 10:00:00 +0000\r\nMessage-ID: <{number}@x>\r\n\r\nHello\r\n"
        )
    };
    upload.put("Mail/cur/1.host:2,S", message(1)).await;
    upload.put("Mail/new/2.host", message(2)).await;
    upload.put("Mail/tmp/3.host", message(3)).await;
    upload.put("box.mbox", super::mailbox(2)).await;
    let calendar = std::fs::read(format!("tests/it/fixtures/{CALENDAR}")).unwrap();
    upload
        .put("dates.zip", zipped("inner/dates.ics", &calendar))
        .await;
    upload.put("photo.jpg", "no picture").await;
    let done = upload.run().await;
    assert_eq!(rows(&app, "mail.messages").await, 4, "{done}");
    assert_eq!(rows(&app, "calendar.series").await, 1, "{done}");
    let files = done["files"].as_array().unwrap();
    let photo = files
        .iter()
        .find(|file| file["path"] == "photo.jpg")
        .unwrap();
    assert_eq!(photo["state"], "unread", "{done}");
}

fn zipped(name: &str, bytes: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file(name, zip::write::SimpleFileOptions::default())
        .unwrap();
    zip.write_all(bytes).unwrap();
    zip.finish().unwrap().into_inner()
}

#[actix_web::test]
async fn a_thousand_refusals_are_listed_and_all_of_them_can_be_downloaded() {
    let app = TestApp::start().await;
    let upload = Upload::open(&app).await;
    let record = |number: usize| {
        format!("{{\"target\":\"home.entities\",\"id\":\"{number}\",\"entity_id\":[{number}]}}\n")
    };
    let records: String = (0..1_200).map(record).collect();
    upload.put("records.jsonl", records).await;
    upload.put("bank.csv", BOOKINGS).await;
    let checked = upload.check().await;
    assert_eq!(checked["totals"]["refused"], 1_200, "{}", checked["totals"]);
    assert_eq!(checked["refusals"].as_array().unwrap().len(), 1_000);
    let all = app.get(&upload.path("/refusals")).await;
    assert_eq!(all.text.lines().count(), 1_200);
    let disposition = all.headers["content-disposition"].to_str().unwrap();
    assert!(disposition.contains("refusals.ndjson"), "{disposition}");
}
