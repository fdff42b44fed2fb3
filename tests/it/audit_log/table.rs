//! The table: exactly the columns that r020 lists, and nothing changes a row.

use crate::support::TestDatabase;

#[actix_web::test]
async fn r020_the_table_has_the_twelve_columns_and_one_index_beside_its_key() {
    let database = TestDatabase::create().await;
    let owner = database.connect().await;
    let columns = "SELECT column_name || ' ' || udt_name || CASE is_nullable WHEN 'NO' THEN ' not null' ELSE '' END
        FROM information_schema.columns WHERE table_schema = 'public' AND table_name = 'audit_log' ORDER BY ordinal_position";
    let expected = [
        "id int8 not null",
        "user_id uuid",
        "agent_id text",
        "tool text not null",
        "sector text",
        "decision text not null",
        "deny_reason text",
        "args jsonb",
        "result_count int4",
        "outcome text",
        "request_id text",
        "created_at timestamptz not null",
    ];
    assert_eq!(texts(&owner, columns).await, expected);
    let indexes = "SELECT regexp_replace(indexdef, '^.* USING ', '') FROM pg_indexes
        WHERE schemaname = 'public' AND tablename = 'audit_log' ORDER BY 1";
    let expected = ["btree (id)", "btree (user_id, created_at DESC)"];
    assert_eq!(texts(&owner, indexes).await, expected);
    let serial = "SELECT pg_get_serial_sequence('public.audit_log', 'id')";
    assert_eq!(
        texts(&owner, serial).await,
        ["public.audit_log_id_seq"],
        "bigserial"
    );
    let references = "SELECT pg_get_constraintdef(oid) FROM pg_constraint
        WHERE conrelid = 'public.audit_log'::regclass AND contype = 'f'";
    assert_eq!(
        texts(&owner, references).await,
        ["FOREIGN KEY (user_id) REFERENCES users(id)"],
        "r044: nothing else refers to anything"
    );
}

#[actix_web::test]
async fn r020_r029_a_decision_and_an_outcome_are_one_of_their_two_words() {
    let database = TestDatabase::create().await;
    let owner = database.connect().await;
    for (decision, outcome, is_taken) in [
        ("'allow'", "'ok'", true),
        ("'deny'", "NULL", true),
        ("'allow'", "'error'", true),
        ("'Allow'", "'ok'", false),
        ("'allow'", "'failed'", false),
        ("NULL", "'ok'", false),
    ] {
        let insert = format!(
            "INSERT INTO audit_log (tool, decision, outcome) VALUES ('query', {decision}, {outcome})"
        );
        let taken = owner.batch_execute(&insert).await.is_ok();
        assert_eq!(taken, is_taken, "{insert}");
    }
}

async fn texts(owner: &tokio_postgres::Client, sql: &str) -> Vec<String> {
    let rows = owner.query(sql, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}
