-- Writes the pairs of the jsonb array $2.
INSERT INTO evidence.account_pairs (
    user_id, id, state, answered_by, reason, answered_at, first_account, first_connection, first_key, second_account,
    second_connection, second_key
)
SELECT $1, id, state, answered_by, reason, answered_at, first_account, first_connection, first_key, second_account,
    second_connection, second_key
FROM jsonb_to_recordset($2) AS made(
    id uuid, state text, answered_by text, reason text, answered_at timestamptz, first_account uuid, first_connection uuid,
    first_key text, second_account uuid, second_connection uuid, second_key text
)
ON CONFLICT (id) DO UPDATE
SET state = excluded.state, answered_by = excluded.answered_by, reason = excluded.reason, answered_at = excluded.answered_at,
    first_account = excluded.first_account, first_connection = excluded.first_connection, first_key = excluded.first_key,
    second_account = excluded.second_account, second_connection = excluded.second_connection,
    second_key = excluded.second_key
