//! Every query that counts as cheap has its index: checked against the migrated database.

use sextant::catalog::{self, Table};
use tokio_postgres::Client;

use crate::support::TestDatabase;

/// The columns of each index of a table, in order, each with `-` where it is descending.
const INDEXES: &str = "
    SELECT array_agg(CASE WHEN i.indoption[k.place - 1] & 1 = 1 THEN '-' ELSE '' END || a.attname ORDER BY k.place)
    FROM pg_index AS i
    CROSS JOIN generate_series(1, i.indnkeyatts) AS k(place)
    JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[k.place - 1]
    WHERE i.indrelid = $1::text::regclass
    GROUP BY i.indexrelid";

async fn indexes(client: &Client, table: &Table) -> Vec<Vec<String>> {
    let rows = client.query(INDEXES, &[&table.target()]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

#[actix_web::test]
async fn every_tables_own_order_and_every_reference_has_an_index() {
    let database = TestDatabase::create().await;
    let client = database.connect().await;
    for table in catalog::tables().filter(|table| table.is_stored()) {
        let indexes = indexes(&client, table).await;
        let is_there = |columns: &[&str]| {
            indexes.iter().any(|index| {
                index
                    .iter()
                    .zip(columns)
                    .filter(|(own, name)| own == name)
                    .count()
                    == columns.len()
            })
        };
        assert!(is_there(&["id"]), "{}", table.target());
        if let [main] = table.default_order {
            let id = if main.starts_with('-') { "-id" } else { "id" };
            assert!(
                is_there(&["user_id", main, id]),
                "{}: {indexes:?}",
                table.target()
            );
        }
        assert!(table.default_order.len() <= 1, "{}", table.target());
        for field in table
            .fields
            .iter()
            .filter(|field| field.reference.is_some())
        {
            assert!(is_there(&[field.name]), "{}.{}", table.target(), field.name);
        }
    }
}
