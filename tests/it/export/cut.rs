//! What cuts an export short: each leaves one audit row with the outcome `error`, and no database connection in use.

use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::Value;
use sextant::export::body::body_channel;
use sextant::export::{ExportError, ExportRequest, write};
use sextant_actors::clock::{Clock as _, SystemClock};
use sextant_actors::domain::Sector;

use super::bundle::begin_export;
use crate::support::TestApp;
use crate::support::app::settings;
use crate::support::cluster::shared;
use crate::support::eventually::eventually;
use crate::support::postgres_proxy::PostgresProxy;

/// Rows that hardly compress, and far more of them than the sockets' buffers hold.
const ROWS: i32 = 1_000;
const HASHES_A_ROW: i32 = 1_000;
/// For a reader that does not read.
const STALL_MAX: Duration = Duration::from_secs(1);

pub async fn fill(app: &TestApp) {
    let (id, _) = app.push_connection("finance.transactions").await;
    let client = app.database.connect().await;
    let statement = format!(
        "INSERT INTO finance.transactions (id, user_id, connection_id, source_id, amount, booked_on, extra)
        SELECT gen_random_uuid(), user_id, connection.id, number::text, 1, '2026-01-01', jsonb_build_object('noise', (
            SELECT string_agg(md5(random()::text || number || step), '') FROM generate_series(1, {HASHES_A_ROW}) AS step
        ))
        FROM connections AS connection, generate_series(1, {ROWS}) AS number WHERE connection.id::text = '{id}'"
    );
    client.batch_execute(&statement).await.unwrap();
}

/// The one audit row that an export has left.
pub async fn row(app: &TestApp) -> Value {
    let mut rows = Vec::new();
    eventually("the row of the export", async || {
        let page = app.audit("?tool=export").await;
        rows = match page.status.as_u16() {
            200 => page.json()["rows"].as_array().unwrap().clone(),
            _ => Vec::new(),
        };
        !rows.is_empty()
    })
    .await;
    assert_eq!(rows.len(), 1, "{rows:?}");
    rows.remove(0)
}

async fn assert_cut(app: &TestApp) {
    let row = row(app).await;
    assert_eq!(
        (&row["outcome"], &row["result_count"]),
        (&"error".into(), &Value::Null),
        "{row}"
    );
    let client = app.database.connect().await;
    eventually("no transaction is left", async || {
        let open = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
            AND xact_start IS NOT NULL AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
        client.query_one(open, &[]).await.unwrap().get::<_, i64>(0) == 0
    })
    .await;
}

#[actix_web::test]
async fn r040_a_client_that_leaves_half_way_leaves_an_error_and_nothing_else() {
    let app = TestApp::start().await;
    fill(&app).await;
    let mut body = begin_export(&app, "").await.bytes_stream();
    body.next().await.unwrap().unwrap();
    drop(body);
    assert_cut(&app).await;
}

#[actix_web::test]
async fn a_reader_that_takes_nothing_is_given_up() {
    let mut settings = settings();
    settings.exports.stall_max = STALL_MAX;
    let app = TestApp::start_with(settings).await;
    fill(&app).await;
    let mut body = begin_export(&app, "").await.bytes_stream();
    body.next().await.unwrap().unwrap();
    assert_cut(&app).await;
    let rest: Vec<_> = body.collect().await;
    assert!(rest.last().unwrap().is_err(), "a part passes for the whole");
}

#[actix_web::test]
async fn a_database_that_goes_ends_the_body_in_an_error() {
    let proxy = PostgresProxy::before(&shared().socket_dir).await;
    let app = TestApp::start_over(&proxy, settings()).await;
    fill(&app).await;
    let mut body = begin_export(&app, "").await.bytes_stream();
    body.next().await.unwrap().unwrap();
    proxy.cut();
    let rest: Vec<_> = body.collect().await;
    assert!(rest.last().unwrap().is_err(), "a part passes for the whole");
    proxy.mend();
    assert_cut(&app).await;
}

#[actix_web::test]
async fn a_stop_cuts_what_is_under_way_and_the_row_is_written() {
    let app = TestApp::start().await;
    fill(&app).await;
    let mut body = begin_export(&app, "").await.bytes_stream();
    body.next().await.unwrap().unwrap();
    let app = app.restart().await;
    assert_cut(&app).await;
    drop(body);
}

/// The row is written when the reader has received all of it, not when all of it has been produced.
#[actix_web::test]
async fn a_reader_that_leaves_before_the_last_pieces_has_not_taken_them() {
    let app = TestApp::start().await;
    let asked = ExportRequest {
        sector: Some(Sector::Mail),
        zone: chrono_tz::UTC,
        now: SystemClock.now(),
    };
    let pieces_that_are_taken = async |most: usize| {
        let mut reader = app.pool.exclusive().await.unwrap();
        let (sender, body) = body_channel(Duration::from_secs(600));
        let mut body = body.take(most);
        let read = async move {
            let mut pieces = 0;
            while body.next().await.is_some() {
                pieces += 1;
            }
            pieces
        };
        let written = async move { write(&mut reader, &asked, &sender, || ()).await };
        tokio::join!(written, read)
    };
    let (written, pieces) = pieces_that_are_taken(usize::MAX).await;
    assert_eq!(written.unwrap(), 0);
    let (written, _) = pieces_that_are_taken(pieces - 2).await;
    assert!(matches!(written, Err(ExportError::Gone)), "{written:?}");
}
