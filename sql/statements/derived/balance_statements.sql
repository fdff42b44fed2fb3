-- The latest balance that was stated of each account and day: the accounts $2 and, beside them, the days $3, which last from
-- $4 to $5 in the person's zone.
SELECT DISTINCT ON (wanted.account_id, wanted."day") wanted.account_id, wanted."day", kept."current"::text AS "current",
    kept.available::text AS available, kept.currency
FROM unnest($2::uuid[], $3::date[], $4::timestamptz[], $5::timestamptz[]) AS wanted(account_id, "day", begins, ends)
-- By OFFSET 0 each day is looked up by itself, by index.
CROSS JOIN LATERAL (
    SELECT account_id, stated_at, "current", available, currency
    FROM evidence.balances
    WHERE user_id = $1 AND account_id = wanted.account_id AND stated_at >= wanted.begins AND stated_at < wanted.ends
    OFFSET 0
) AS kept
ORDER BY wanted.account_id, wanted."day", kept.stated_at DESC
