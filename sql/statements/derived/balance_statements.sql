-- The latest balance that was stated of each account and day: the accounts $2 and, beside them, the days $3, which last from
-- $4 to $5 in the person's zone. Where an account says nothing of a day, those that are hidden behind it are heard.
SELECT DISTINCT ON (wanted.account_id, wanted."day") wanted.account_id, wanted."day", kept."current"::text AS "current",
    kept.available::text AS available, kept.currency
FROM unnest($2::uuid[], $3::date[], $4::timestamptz[], $5::timestamptz[]) AS wanted(account_id, "day", begins, ends)
-- By OFFSET 0 each day is looked up by itself, by index.
CROSS JOIN LATERAL (
    SELECT account_id, stated_at, "current", available, currency
    FROM evidence.balances
    WHERE user_id = $1 AND stated_at >= wanted.begins AND stated_at < wanted.ends AND account_id = ANY(
        ARRAY(SELECT behind.id FROM finance.accounts AS behind WHERE behind.hidden_by = wanted.account_id)
        || wanted.account_id
    )
    OFFSET 0
) AS kept
ORDER BY wanted.account_id, wanted."day", (kept.account_id = wanted.account_id) DESC, kept.stated_at DESC, kept.account_id
