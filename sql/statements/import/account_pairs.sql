INSERT INTO evidence.account_pairs (
    user_id, id, state, answered_by, reason, asked_at, answered_at, first_account, first_connection, first_key, second_account,
    second_connection, second_key
)
SELECT $1, id, state, answered_by, reason, asked_at, answered_at, first_account, first_connection, first_key, second_account,
    second_connection, second_key
FROM jsonb_populate_recordset(NULL::evidence.account_pairs, $2::text::jsonb)
