SELECT to_jsonb(kept)::text AS line
FROM (
    SELECT id, state, answered_by, reason, asked_at, answered_at, first_account, first_connection, first_key, second_account,
        second_connection, second_key
    FROM evidence.account_pairs
    WHERE user_id = $1 AND ($2::text IS NULL OR $2 = 'finance')
    ORDER BY id
) AS kept
ORDER BY kept.id
