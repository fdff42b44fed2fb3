use sextant::db::{Cells, StoreError, column, columns, only_value};

use crate::support::TestDatabase;

#[actix_web::test]
async fn a_row_of_another_form_is_an_error_and_never_empty() {
    let database = TestDatabase::create().await;
    let client = database.connect().await;
    let rows = client
        .query("SELECT 1::bigint AS n, 'a'::text AS word", &[])
        .await
        .unwrap();
    let fault = |error: StoreError| assert!(matches!(error, StoreError::Fault { .. }), "{error}");

    let mut cells = Cells::of("a/read", &rows[0]);
    assert_eq!(cells.take::<i64>(), Ok(1));
    fault(cells.take::<i64>().unwrap_err());
    assert_eq!(cells.take::<&str>(), Ok("a"));
    fault(cells.take::<&str>().unwrap_err());
    assert_eq!(cells.end(), Ok(()));

    let mut cells = Cells::of("a/read", &rows[0]);
    assert_eq!(cells.take::<Option<i64>>(), Ok(Some(1)));
    fault(cells.end().unwrap_err());

    let mut cells = Cells::of("a/read", &rows[0]);
    fault(cells.named::<i64>("word").unwrap_err());
    assert_eq!(cells.named::<i64>("n"), Ok(1));

    assert_eq!(columns("a/read", &rows[0]), Ok((1_i64, "a")));
    fault(columns::<(&str, i64)>("a/read", &rows[0]).unwrap_err());
    let error = columns::<(i64, &str, i64)>("a/read", &rows[0]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a statement failed: a/read: 2 columns where 3 are read"
    );
    fault(column::<i64>("a/read", &rows[0]).unwrap_err());

    fault(only_value::<i64>("two columns", &rows).unwrap_err());
    for (sql, found) in [
        ("SELECT 1::bigint WHERE false", 0),
        ("VALUES (1::bigint), (2::bigint)", 2),
    ] {
        let rows = client.query(sql, &[]).await.unwrap();
        let error = only_value::<i64>("one", &rows).unwrap_err();
        assert!(
            matches!(error, StoreError::UnexpectedRows { found: told, .. } if told == found),
            "{error}"
        );
    }
}
