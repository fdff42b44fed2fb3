SELECT to_jsonb(kept)::text AS line
FROM (
    SELECT account_id, stated_at, "current", available, currency
    FROM evidence.balances
    WHERE user_id = $1 AND ($2::text IS NULL OR $2 = 'finance')
    ORDER BY account_id, stated_at
) AS kept
ORDER BY kept.account_id, kept.stated_at
