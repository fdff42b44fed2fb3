//! Requests while an erase is under way: each push is deleted as a whole or kept as a whole, and queries are
//! answered.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::join_all;
use serde_json::{Value, json};
use sextant::ingest::roll;
use sextant_actors::clock::{Clock as _, SystemClock};
use sextant_actors::domain::OPERATOR;
use uuid::Uuid;

use super::{count, erase, of_connection};
use crate::support::TestApp;
use crate::support::eventually::eventually;
use crate::support::planted::Planted;

const PUSHERS: usize = 3;
const PUSHES: usize = 8;
const MESSAGES: usize = 30;
const ERASES: usize = 6;

async fn connection(app: &TestApp, target: &str) -> Planted {
    let (id, secret) = app.push_connection(target).await;
    let table = sextant::catalog::by_target(target).unwrap();
    Planted {
        id,
        secret,
        table,
        words: std::collections::BTreeSet::new(),
    }
}

/// Messages with an attachment each, all of one push.
fn mails(push: &str) -> Value {
    let mails: Vec<Value> = (0..MESSAGES)
        .map(|number| json!({ "id": format!("{push}/{number}"), "subject": push, "thread_id": push, "attachments": [{ "id": "a", "filename": push }] }))
        .collect();
    json!(mails)
}

/// How many rows each push has in a table, by the text that names the push.
async fn by_push(app: &TestApp, table: &str, text: &str) -> BTreeMap<String, i64> {
    let client = app.database.connect().await;
    let sql = format!("SELECT {text}, count(*) FROM mail.{table} GROUP BY 1");
    let rows = client.query(&sql, &[]).await.unwrap();
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

#[actix_web::test]
async fn pushes_during_an_erase_are_gone_whole_or_there_whole_and_questions_are_answered() {
    let app = TestApp::start().await;
    let mut devices = Vec::new();
    for _ in 0..PUSHERS {
        devices.push(connection(&app, "mail.messages").await);
    }
    let is_over = AtomicBool::new(false);
    let pushes = join_all(
        devices
            .iter()
            .enumerate()
            .map(async |(device, connection)| {
                for push in 0..PUSHES {
                    connection
                        .push(&app, &mails(&format!("p{device}x{push}")))
                        .await;
                }
            }),
    );
    let erases = async {
        for number in 0..ERASES {
            let scope = match number % 3 {
                0 => json!({ "scope": "sector", "sector": "mail" }),
                1 => of_connection(&devices[0].id),
                _ => json!({ "scope": "all" }),
            };
            erase(&app, scope).await;
        }
    };
    let questions = async {
        while !is_over.load(Ordering::Relaxed) {
            let asked = json!({ "target": "messages", "search": "p0x1", "limit": 5 });
            app.post("/api/data/mail", asked).await.expect(200);
        }
    };
    let work = async {
        tokio::join!(pushes, erases);
        is_over.store(true, Ordering::Relaxed);
    };
    tokio::join!(work, questions);
    // One more push by each device, after the last erase.
    for (device, connection) in devices.iter().enumerate() {
        connection
            .push(&app, &mails(&format!("p{device}last")))
            .await;
    }
    let (messages, attachments) = (
        by_push(&app, "messages", "subject").await,
        by_push(&app, "attachments", "filename").await,
    );
    assert_eq!(messages, attachments);
    assert!(
        messages.values().all(|rows| *rows == MESSAGES as i64),
        "{messages:?}"
    );
    for device in 0..PUSHERS {
        assert!(
            messages.contains_key(&format!("p{device}last")),
            "{messages:?}"
        );
    }
    erase(&app, json!({ "scope": "all" })).await;
    assert!(by_push(&app, "attachments", "filename").await.is_empty());
}

/// Waits until a statement in this test's database waits for a lock.
async fn someone_waits(app: &TestApp) {
    let sql = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    eventually("a statement waits for the lock", async || {
        count(app, sql).await > 0
    })
    .await;
}

/// Does `work` in a transaction that takes the locks of a push, and commits only once the erase waits for it; returns
/// the erase's answer.
async fn erased_beside(app: &TestApp, scope: Value, work: &str) -> Value {
    let push = app.database.connect().await;
    push.batch_execute(&format!("BEGIN; {work}")).await.unwrap();
    let (done, ()) = tokio::join!(erase(app, scope), async {
        someone_waits(app).await;
        push.batch_execute("COMMIT").await.unwrap();
    });
    done
}

fn push_of(id: &str) -> String {
    format!(
        "SELECT id FROM connections WHERE id = '{id}' FOR KEY SHARE;
        INSERT INTO contacts.people (id, user_id, connection_id, source_id, full_name)
        SELECT gen_random_uuid(), user_id, id, 'late', 'Late' FROM connections WHERE id = '{id}'"
    )
}

#[actix_web::test]
async fn an_erase_waits_for_a_push_under_way_and_erases_its_rows_too() {
    let app = TestApp::start().await;
    for scope in ["connection", "sector", "all"] {
        let (id, _) = app.push_connection("contacts.people").await;
        let body = match scope {
            "connection" => of_connection(&id),
            "sector" => json!({ "scope": "sector", "sector": "contacts" }),
            _ => json!({ "scope": "all" }),
        };
        let done = erased_beside(&app, body, &push_of(&id)).await;
        assert_eq!(done["deleted"], 1, "{scope}");
    }
    assert_eq!(count(&app, "SELECT count(*) FROM contacts.people").await, 0);
}

/// The push goes to another connection, and has derived a balance from the account that is being erased.
#[actix_web::test]
async fn what_another_connections_push_has_made_of_the_erased_rows_goes_with_them() {
    let app = TestApp::start().await;
    let bank = connection(&app, "finance.accounts").await;
    bank.push(
        &app,
        &json!([{ "id": "giro", "name": "Giro", "currency": "EUR" }]),
    )
    .await;
    let settled = "SELECT zone FROM evidence.built WHERE sector = 'finance' FOR UPDATE;
        INSERT INTO finance.balances (id, user_id, connection_id, source_id, account_id, \"day\", \"current\")
        SELECT gen_random_uuid(), user_id, connection_id, 'made', id, '2026-03-01', 5 FROM finance.accounts";
    erased_beside(&app, of_connection(&bank.id), settled).await;
    for table in ["accounts", "balances"] {
        assert_eq!(
            count(&app, &format!("SELECT count(*) FROM finance.{table}")).await,
            0,
            "{table}"
        );
    }
}

#[actix_web::test]
async fn the_daily_roll_makes_no_occurrences_of_a_series_that_is_being_erased() {
    let app = TestApp::start().await;
    let calendar = connection(&app, "calendar.series").await;
    let standup = json!([{ "id": "s", "title": "Stand-up", "start_at": "2026-03-27T09:00:00", "end_at": "2026-03-27T09:15:00",
        "time_zone": "Europe/Vienna", "rrule": ["RRULE:FREQ=DAILY"] }]);
    calendar.push(&app, &standup).await;
    let eraser = app.database.connect().await;
    let begun = "BEGIN; SELECT id FROM connections FOR UPDATE;
        DELETE FROM calendar.events; DELETE FROM calendar.series; DELETE FROM sync_cursors";
    eraser.batch_execute(begun).await.unwrap();
    let tomorrow = SystemClock.now() + chrono::Duration::hours(25);
    let (rolled, ()) = tokio::join!(
        roll(&app.pool, OPERATOR, chrono_tz::Europe::Berlin, tomorrow),
        async {
            someone_waits(&app).await;
            eraser.batch_execute("COMMIT").await.unwrap();
        }
    );
    rolled.unwrap();
    assert_eq!(count(&app, "SELECT count(*) FROM calendar.events").await, 0);
    let uncovered = "SELECT count(*) FROM sync_cursors";
    assert_eq!(count(&app, uncovered).await, 0);
}

/// A connection made while the erase is under way is not part of it: its first push is kept whole.
#[actix_web::test]
async fn a_connection_made_during_an_erase_keeps_what_it_brings() {
    let app = TestApp::start().await;
    let (old, _) = app.push_connection("contacts.people").await;
    let held = app.database.connect().await;
    held.batch_execute(&format!("BEGIN; {}", push_of(&old)))
        .await
        .unwrap();
    let (done, ()) = tokio::join!(erase(&app, json!({ "scope": "all" })), async {
        someone_waits(&app).await;
        let new = connection(&app, "contacts.people").await;
        new.push(&app, &json!([{ "full_name": "Ada" }])).await;
        held.batch_execute("COMMIT").await.unwrap();
    });
    assert_eq!(done["deleted"], 1);
    let names = app
        .post(
            "/api/data/contacts",
            json!({ "target": "people", "select": ["full_name"] }),
        )
        .await;
    assert_eq!(names.expect(200)["rows"], json!([["Ada"]]));
}

#[actix_web::test]
async fn r023_an_erase_touches_no_row_of_the_record_and_the_record_refuses_it() {
    let app = TestApp::start().await;
    let (id, _) = app.push_connection("contacts.people").await;
    let hour = Uuid::parse_str(&id).unwrap();
    erase(&app, of_connection(&hour.to_string())).await;
    let before = super::acts(&app, 1).await;
    erase(&app, json!({ "scope": "all" })).await;
    assert_eq!(super::acts(&app, 2).await[..1], before[..]);
    let owner = app.database.connect().await;
    for statement in [
        "DELETE FROM audit_log",
        "UPDATE audit_log SET args = NULL",
        "TRUNCATE audit_log",
    ] {
        assert!(owner.batch_execute(statement).await.is_err(), "{statement}");
    }
}
