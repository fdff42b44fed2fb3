-- The latest balance that was stated of each account and day: the accounts $2 and, beside them, the days $3, which last from
-- $4 to $5 in the person's zone.
SELECT DISTINCT ON (wanted.account_id, wanted."day") wanted.account_id, wanted."day", kept."current"::text AS "current",
    kept.available::text AS available, kept.currency
FROM unnest($2::uuid[], $3::date[], $4::timestamptz[], $5::timestamptz[]) AS wanted(account_id, "day", begins, ends)
JOIN evidence.balances AS kept ON kept.user_id = $1 AND kept.account_id = wanted.account_id
    AND kept.stated_at >= wanted.begins AND kept.stated_at < wanted.ends
ORDER BY wanted.account_id, wanted."day", kept.stated_at DESC
