use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sextant::store::audit::AuditLog;
use sextant_actors::domain::{Decision, OPERATOR};
use sextant_actors::ports::{AuditStore, Flush, Flushed, PortError};
use uuid::Uuid;

use super::{JOURNAL, args, entry, flush, write};
use crate::support::TestDatabase;

#[actix_web::test]
async fn r022_all_rows_of_one_flush_share_one_stamp_of_the_database() {
    let database = TestDatabase::create().await;
    let opened = database.open().await.unwrap();
    write(opened.service(), vec![entry("a", "query"); 3]).await;
    write(opened.service(), vec![entry("a", "query"); 2]).await;
    let stamps = "SELECT created_at, count(*) FROM audit_log GROUP BY 1 ORDER BY 1";
    let rows = database.connect().await.query(stamps, &[]).await.unwrap();
    let counts: Vec<i64> = rows.iter().map(|row| row.get(1)).collect();
    assert_eq!(counts, [3, 2]);
}

#[actix_web::test]
async fn r021_a_flush_is_stored_counted_and_placed_or_nothing_of_it_is() {
    let database = TestDatabase::create().await;
    let opened = database.open().await.unwrap();
    let record = AuditLog::new(opened.service().clone());
    assert_eq!(record.position(JOURNAL).await, Ok(0), "a new journal");
    let batch = flush(0, vec![entry("a", "query"); 3]);
    assert_eq!(record.append(batch.clone()).await, Ok(Flushed::Done));
    assert_eq!(record.append(batch).await, Ok(Flushed::Elsewhere));
    let ahead = flush(7, vec![entry("a", "query")]);
    assert_eq!(record.append(ahead).await, Ok(Flushed::Elsewhere));
    let over = Flush {
        expected: 3,
        through: 9,
        ..flush(3, Vec::new())
    };
    assert_eq!(
        record.append(over).await,
        Ok(Flushed::Done),
        "a row given up"
    );
    assert_eq!(record.position(JOURNAL).await, Ok(9));
    let client = database.connect().await;
    let row = client
        .query_one(
            "SELECT (SELECT count(*) FROM audit_log), (SELECT sum(n)::bigint FROM audit_hourly)",
            &[],
        )
        .await
        .unwrap();
    assert_eq!((row.get::<_, i64>(0), row.get::<_, i64>(1)), (3, 3));
}

#[actix_web::test]
async fn r024_ids_ascend_in_the_order_in_which_rows_were_recorded() {
    let database = TestDatabase::create().await;
    let opened = database.open().await.unwrap();
    for burst in 0..3 {
        let entries = (0..500).map(|row| entry(&format!("a{burst}-{row}"), "query"));
        write(opened.service(), entries.collect()).await;
    }
    let all = "SELECT agent_id FROM audit_log ORDER BY id";
    let rows = database.connect().await.query(all, &[]).await.unwrap();
    let stored: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    let recorded: Vec<String> = (0..3)
        .flat_map(|burst| (0..500).map(move |row| format!("a{burst}-{row}")))
        .collect();
    assert_eq!(stored, recorded);
}

#[actix_web::test]
async fn r020_every_column_is_stored_as_it_was_given() {
    let database = TestDatabase::create().await;
    let opened = database.open().await.unwrap();
    let mut full = entry("laptop", "query");
    full.args = args(json!({ "target": "mail.messages", "limit": 10.50, "it's": null }));
    full.result_count = Some(7);
    full.request_id = Some("r-1".into());
    let mut denied = entry("laptop", "query");
    denied.decision = Decision::Deny("access denied: finance".into());
    (
        denied.user_id,
        denied.agent_id,
        denied.sector,
        denied.outcome,
    ) = (None, None, None, None);
    let ids = write(opened.service(), vec![full, denied]).await;

    let client = database.connect().await;
    let all = "SELECT user_id, agent_id, tool, sector, decision, deny_reason, args, result_count, outcome, request_id, created_at \
               FROM audit_log WHERE id = $1";
    let row = client.query_one(all, &[&ids[0]]).await.unwrap();
    assert_eq!(row.get::<_, Option<Uuid>>(0), Some(OPERATOR));
    let texts: Vec<Option<&str>> = [1, 2, 3, 4, 5, 8, 9].map(|column| row.get(column)).into();
    assert_eq!(
        texts,
        [
            Some("laptop"),
            Some("query"),
            Some("mail"),
            Some("allow"),
            None,
            Some("ok"),
            Some("r-1")
        ]
    );
    assert_eq!(
        row.get::<_, Value>(6),
        json!({ "target": "mail.messages", "limit": 10.50, "it's": null })
    );
    assert_eq!(row.get::<_, Option<i32>>(7), Some(7));
    assert!(row.try_get::<_, DateTime<Utc>>(10).is_ok());

    let row = client.query_one(all, &[&ids[1]]).await.unwrap();
    let texts: Vec<Option<&str>> = [1, 3, 4, 5, 8, 9].map(|column| row.get(column)).into();
    assert_eq!(
        texts,
        [
            None,
            None,
            Some("deny"),
            Some("access denied: finance"),
            None,
            None
        ]
    );
    assert_eq!(
        (row.get::<_, Option<Uuid>>(0), row.get::<_, Option<i32>>(7)),
        (None, None)
    );
}

#[actix_web::test]
async fn a_row_that_the_database_cannot_hold_is_told_from_a_database_that_is_gone() {
    let database = TestDatabase::create().await;
    let opened = database.open().await.unwrap();
    let record = AuditLog::new(opened.service().clone());
    let mut faulty = entry("a", "query");
    // Nobody with this id is there: an error of the data (SQLSTATE class 23).
    faulty.user_id = Some(Uuid::from_u128(8));
    assert_eq!(record.position(JOURNAL).await, Ok(0));
    let rows = vec![entry("a", "query"), faulty];
    let refused = record.append(flush(0, rows)).await.unwrap_err();
    assert!(matches!(refused, PortError::Rejected(_)), "{refused:?}");
    let row = database
        .connect()
        .await
        .query_one("SELECT count(*) FROM audit_log", &[])
        .await
        .unwrap();
    assert_eq!(row.get::<_, i64>(0), 0);
    assert_eq!(record.position(JOURNAL).await, Ok(0));
}

#[actix_web::test]
async fn the_record_is_counted_by_hour_agent_tool_sector_and_result() {
    let database = TestDatabase::create().await;
    let opened = database.open().await.unwrap();
    let mut refused = entry("a", "initialize");
    (refused.agent_id, refused.sector, refused.outcome) = (None, None, None);
    refused.decision = Decision::Deny("revoked".into());
    let batch = vec![
        entry("a", "query"),
        entry("a", "query"),
        entry("b", "query"),
        refused.clone(),
    ];
    write(opened.service(), batch).await;
    write(opened.service(), vec![refused, entry("b", "query")]).await;
    let sql = "SELECT coalesce(agent_id, '-') || ' ' || tool || ' ' || decision || ' ' || n FROM audit_hourly ORDER BY 1";
    let rows = database.connect().await.query(sql, &[]).await.unwrap();
    let counted: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(
        counted,
        ["- initialize deny 2", "a query allow 2", "b query allow 2"]
    );
}

#[actix_web::test]
async fn what_is_counted_by_the_hour_tells_when_its_last_row_came() {
    let database = TestDatabase::create().await;
    let opened = database.open().await.unwrap();
    for agents in [["a", "b"], ["a", "a"], ["b", "c"]] {
        let batch = agents.map(|agent| entry(agent, "query"));
        write(opened.service(), batch.into()).await;
    }
    let sql = "SELECT count(*), count(*) FILTER (WHERE last_at = (SELECT max(created_at) FROM audit_log AS log \
                   WHERE log.agent_id = hourly.agent_id AND date_trunc('hour', log.created_at, 'UTC') = hourly.hour)) \
               FROM audit_hourly AS hourly";
    let client = database.connect().await;
    let row = client.query_one(sql, &[]).await.unwrap();
    let (rows, true_to_the_record): (i64, i64) = (row.get(0), row.get(1));
    assert!(rows >= 3, "{rows}");
    assert_eq!(true_to_the_record, rows);
}
