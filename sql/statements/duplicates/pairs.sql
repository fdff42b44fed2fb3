SELECT id, state, answered_by, reason, answered_at, first_account, first_connection, first_key, second_account, second_connection,
    second_key
FROM evidence.account_pairs
WHERE user_id = $1
ORDER BY id
