-- The accounts $2; those of them that are in $3 with every moment and every day that a balance of theirs may be of.
SELECT account.id, account.connection_id, account.deleted_at IS NULL AS is_there, account.currency,
    CASE WHEN account.id = ANY($3::uuid[]) THEN ARRAY(SELECT kept.stated_at FROM evidence.balances AS kept
        WHERE (kept.account_id = account.id
            OR kept.account_id IN (SELECT behind.id FROM finance.accounts AS behind WHERE behind.hidden_by = account.id))
            AND evidence.is_dated(kept.stated_at)) ELSE '{}' END AS moments,
    CASE WHEN account.id = ANY($3::uuid[]) THEN ARRAY(SELECT DISTINCT booking.booked_on FROM finance.transactions AS booking
        WHERE booking.user_id = $1 AND booking.account_id = account.id AND booking.balance_after IS NOT NULL
        UNION SELECT made."day" FROM finance.balances AS made
        WHERE made.account_id = account.id AND made."day" IS NOT NULL) ELSE '{}' END AS days
FROM finance.accounts AS account
WHERE account.user_id = $1 AND account.id = ANY($2::uuid[])
