//! What an import stores, the server has statistics of, at once.

use serde_json::json;
use sextant::catalog;
use sextant::statements::write::qualified;

use super::{export, import};
use crate::support::TestApp;

/// The server's own rounds come a minute later at the earliest, and to tables of more than fifty rows only.
#[actix_web::test]
async fn every_table_that_an_import_fills_has_statistics() {
    let from = TestApp::start().await;
    from.post("/api/sample", json!({})).await.expect(201);
    let app = TestApp::start().await;
    import(&app, export(&from).await).await.expect(200);
    let client = app.database.connect().await;
    let mut filled = 0;
    for table in catalog::tables().filter(|table| table.is_stored()) {
        let name = qualified(table);
        let sql = format!(
            "SELECT (SELECT count(*) FROM {name}), reltuples::bigint, EXISTS (SELECT FROM pg_stats
                WHERE (schemaname, tablename, attname) = (relnamespace::regnamespace::text, relname, 'user_id'))
             FROM pg_class WHERE oid = '{name}'::regclass"
        );
        let row = client.query_one(&sql, &[]).await.unwrap();
        let (rows, planned_for): (i64, i64) = (row.get(0), row.get(1));
        if rows > 0 {
            filled += 1;
            assert_eq!(planned_for, rows, "{name}");
            assert!(row.get::<_, bool>(2), "{name}");
        }
    }
    assert!(filled > 10, "{filled} tables");
}
