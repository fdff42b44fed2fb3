//! Different mails with one Message-ID, in separate pushes.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{Device, counts, rows};
use crate::support::TestApp;

const MAILS: &str = "SELECT source_id, subject FROM mail.messages WHERE deleted_at IS NULL ORDER BY source_id COLLATE \"C\"";
/// The number of mails that one Message-ID may name.
const NAMESAKES_MAX: usize = 16;
/// The lists of recipients.
const RECIPIENTS: [&str; 3] = ["to", "cc", "bcc"];

/// A mail named by its Message-ID, with the other fields that a device sends.
fn mail(told: Value) -> Value {
    let mut record = json!({ "id": "m", "message_id": "m", "subject": "Report", "from_name": "Ann",
        "from_email": "ann@a.example", "sent_at": "2026-03-01T10:00:00Z", "body_text": "Text" });
    let told = told.as_object().unwrap().clone();
    record.as_object_mut().unwrap().extend(told);
    record
}

fn titled(subject: &str) -> Value {
    mail(json!({ "subject": subject }))
}

fn stored(source_id: &str, subject: &str) -> Value {
    json!({ "source_id": source_id, "subject": subject })
}

async fn names(app: &TestApp) -> Vec<Value> {
    let names = rows(app, MAILS).await;
    names.iter().map(|row| row["source_id"].clone()).collect()
}

#[actix_web::test]
async fn another_mail_under_one_message_id_is_stored_beside_it_and_a_repeat_changes_nothing() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "mail.messages").await;
    let to = json!([{ "name": "Bob", "email": "bob@b.example" }]);
    let mails = [
        mail(json!({})),
        titled("Another"),
        mail(json!({ "subject": null })),
        mail(json!({ "from_email": "list@a.example" })),
        mail(json!({ "from_name": "Ann by way of a list" })),
        mail(json!({ "sender": { "email": "list@a.example" } })),
        mail(json!({ "sent_at": "2026-03-01T10:00:01Z" })),
        mail(json!({ RECIPIENTS[0]: to })),
        mail(json!({ RECIPIENTS[1]: to })),
        mail(json!({ RECIPIENTS[2]: to })),
    ];
    for (before, mail) in mails.iter().enumerate() {
        assert_eq!(
            counts(&device.store(json!([mail])).await),
            [1, 0, 0, 0],
            "{mail}"
        );
        assert_eq!(names(&app).await.len(), before + 1, "{mail}");
    }
    for mail in mails.iter().rev() {
        assert_eq!(
            counts(&device.store(json!([mail])).await),
            [0, 0, 1, 0],
            "{mail}"
        );
    }
    let others = (2..=mails.len()).map(|ordinal| json!(format!("m~{ordinal}")));
    let mut expected: Vec<Value> = others.chain([json!("m")]).collect();
    expected.sort_by_key(|name| name.as_str().map(str::to_owned));
    assert_eq!(names(&app).await, expected);
    let called = "SELECT DISTINCT message_id FROM mail.messages";
    assert_eq!(rows(&app, called).await, [json!({ "message_id": "m" })]);
}

#[actix_web::test]
async fn what_changes_with_whoever_passes_a_mail_on_decides_nothing() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "mail.messages").await;
    device.store(json!([mail(json!({}))])).await;
    for told in [
        json!({ "body_text": "Text, with a footer of the list" }),
        json!({ "attachments": [{ "part_id": "2", "filename": "a.pdf" }] }),
        json!({ "is_read": true, "received_at": "2026-03-02T10:00:00Z" }),
        json!({ "sent_at": "2026-03-01T11:00:00+01:00", "body_text": "Text." }),
        json!({ "mailbox": { "id": "in", "name": "Inbox" } }),
    ] {
        let answer = device.store(json!([mail(told.clone())])).await;
        assert_eq!(counts(&answer), [0, 1, 0, 0], "{told}");
    }
    assert_eq!(names(&app).await, ["m"]);
}

#[actix_web::test]
async fn a_draft_and_what_has_an_id_of_its_own_are_replaced_as_ever() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "mail.messages").await;
    let draft = |subject: &str| mail(json!({ "subject": subject, "is_draft": true }));
    let own = |subject: &str| mail(json!({ "subject": subject, "id": "uid-7" }));
    for mail in [
        draft("Repo"),
        draft("Report"),
        titled("Sent"),
        draft("Again"),
        titled("Sent"),
    ] {
        device.store(json!([mail])).await;
        assert_eq!(names(&app).await, ["m"], "{mail}");
    }
    for mail in [own("One"), own("Two")] {
        device.store(json!([mail])).await;
    }
    let expected = [stored("m", "Sent"), stored("uid-7", "Two")];
    assert_eq!(rows(&app, MAILS).await, expected);
}

#[actix_web::test]
async fn attachments_hang_on_the_mail_that_they_came_with() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "mail.messages").await;
    let with = |subject: &str, file: &str| {
        let attachments = json!([{ "part_id": "2", "filename": file }]);
        mail(json!({ "subject": subject, "attachments": attachments }))
    };
    let hanging = "SELECT m.source_id, a.source_id AS part, a.filename FROM mail.attachments a
        JOIN mail.messages m ON m.id = a.message_id WHERE a.deleted_at IS NULL ORDER BY 1";
    let hangs = |mail: &str, file: &str| json!({ "source_id": mail, "part": format!("{mail}/2"), "filename": file });
    device.store(json!([with("One", "one.pdf")])).await;
    device.store(json!([with("Two", "two.pdf")])).await;
    let expected = [hangs("m", "one.pdf"), hangs("m~2", "two.pdf")];
    assert_eq!(rows(&app, hanging).await, expected);
    device.store(json!([with("Two", "other.pdf")])).await;
    let expected = [hangs("m", "one.pdf"), hangs("m~2", "other.pdf")];
    assert_eq!(rows(&app, hanging).await, expected);
    device.push(json!({ "deleted": ["m~2"] })).await.expect(200);
    assert_eq!(rows(&app, hanging).await, [hangs("m", "one.pdf")]);
}

#[actix_web::test]
async fn a_deletion_takes_that_id_alone_and_what_is_stored_keeps_its_own() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "mail.messages").await;
    for subject in ["One", "Two", "Three"] {
        device.store(json!([titled(subject)])).await;
    }
    let gone = device.push(json!({ "deleted": ["m"] })).await.expect(200);
    assert_eq!(counts(&gone), [0, 0, 0, 1]);
    let left = [stored("m~2", "Two"), stored("m~3", "Three")];
    assert_eq!(rows(&app, MAILS).await, left);
    for subject in ["Two", "Three"] {
        let again = device.store(json!([titled(subject)])).await;
        assert_eq!(counts(&again), [0, 0, 1, 0], "{subject}");
    }
    assert_eq!(rows(&app, MAILS).await, left);
    device.push(json!({ "deleted": ["m~2"] })).await.expect(200);
    device.store(json!([titled("Four")])).await;
    device.store(json!([titled("Five")])).await;
    let expected = [
        stored("m", "Four"),
        stored("m~2", "Five"),
        stored("m~3", "Three"),
    ];
    assert_eq!(rows(&app, MAILS).await, expected);
}

#[actix_web::test]
async fn one_more_than_a_message_id_may_stand_for_is_refused_by_name() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "mail.messages").await;
    let mails: Vec<Value> = (0..NAMESAKES_MAX)
        .map(|number| titled(&format!("{number}")))
        .collect();
    // The same in one push as in many.
    assert_eq!(counts(&device.store(json!(mails)).await), [16, 0, 0, 0]);
    assert_eq!(names(&app).await.len(), NAMESAKES_MAX);
    let other = mail(json!({ "id": "n", "message_id": "n" }));
    let push = json!([other, titled("One more"), titled("15")]);
    let refused = device.push(push.clone()).await.expect(400);
    let problem = json!({ "index": 1, "field": "id",
        "message": "stands for 16 different records already; give this one an id of its own" });
    assert_eq!(refused["problems"], json!([problem]));
    assert_eq!(names(&app).await.len(), NAMESAKES_MAX);
    let partly = device.push_partial(push).await.expect(200);
    assert_eq!(counts(&partly), [1, 0, 1, 0]);
    assert_eq!(partly["rejected"], json!([problem]));
    assert_eq!(names(&app).await.len(), NAMESAKES_MAX + 1);
}

#[actix_web::test]
async fn a_name_that_a_record_of_the_push_has_is_not_given_to_another() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "mail.messages").await;
    device.store(json!([titled("One")])).await;
    let numbered = mail(json!({ "id": "m~2", "subject": "Numbered" }));
    let push = json!([titled("Two"), numbered]);
    assert_eq!(counts(&device.store(push.clone()).await), [2, 0, 0, 0]);
    let expected = [
        stored("m", "One"),
        stored("m~2", "Numbered"),
        stored("m~3", "Two"),
    ];
    assert_eq!(rows(&app, MAILS).await, expected);
    assert_eq!(counts(&device.store(push).await), [0, 0, 2, 0]);
}

#[actix_web::test]
async fn pushes_at_one_time_lose_none() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "mail.messages").await;
    let subjects: Vec<String> = (0..8).map(|number| format!("{number}")).collect();
    let push = async |subject: &String| counts(&device.store(json!([titled(subject)])).await);
    let stored = join_all(subjects.iter().map(push)).await;
    assert_eq!(stored, vec![[1, 0, 0, 0]; subjects.len()]);
    assert_eq!(names(&app).await.len(), subjects.len());
}

/// More than one statement stores, all under names that are taken.
#[actix_web::test]
async fn many_namesakes_are_named_together() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "mail.messages").await;
    let many = |subject: &str| -> Value {
        let named = |number: usize| {
            let name = format!("{number}@x");
            mail(json!({ "id": name, "message_id": name, "subject": subject }))
        };
        (0..1_200).map(named).collect()
    };
    assert_eq!(counts(&device.store(many("One")).await), [1_200, 0, 0, 0]);
    assert_eq!(counts(&device.store(many("Two")).await), [1_200, 0, 0, 0]);
    assert_eq!(counts(&device.store(many("Two")).await), [0, 0, 1_200, 0]);
    let seconds =
        "SELECT count(*) FROM mail.messages WHERE source_id LIKE '%~2' AND subject = 'Two'";
    assert_eq!(rows(&app, seconds).await, [json!({ "count": 1_200 })]);
}
