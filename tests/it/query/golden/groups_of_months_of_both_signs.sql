SELECT (SELECT g.generation FROM public.generations AS g WHERE g.user_id = $1) AS generation, (SELECT pg_snapshot_xmin(pg_current_snapshot())::text) AS oldest,
NULL::text AS purged,
left(g.k0, $2::integer), g.k1, g.m0, g.n, count(*) OVER ()
FROM (SELECT t."category" AS k0, t."booked_on" AS k1, sum(t."amount") AS m0, coalesce(sum(t."rows"), 0) AS n
FROM "sums"."transactions_by_month" AS t
WHERE t.user_id = $1
  AND (t."account_id" = ANY($3) AND t."booked_on" >= $4 AND t."currency" = $5)
GROUP BY 1, 2
) AS g
ORDER BY g.k0, g.k1
LIMIT 1001
-- $1: uuid
-- $2: int8
-- $3: _uuid
-- $4: date
-- $5: text
