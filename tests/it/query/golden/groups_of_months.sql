SELECT (SELECT g.generation FROM public.generations AS g WHERE g.user_id = $1) AS generation, (SELECT pg_snapshot_xmin(pg_current_snapshot())::text) AS oldest,
NULL::text AS purged,
left(g.k0, $2::integer), g.k1, g.k2, g.m0, g.m1, g.m2, g.n, count(*) OVER ()
FROM (SELECT t."category" AS k0, t."booked_on" AS k1, date_trunc('quarter', t."booked_on"::timestamp)::date AS k2, trim_scale(round(sum(t."amount")::numeric * 1.000000000000 / coalesce(sum(t."rows"), 0), 8)) AS m0, coalesce(sum(t."rows"), 0) AS m1, sum(t."amount") AS m2, coalesce(sum(t."rows"), 0) AS n
FROM "sums"."transactions_by_month_and_sign" AS t
JOIN public.connections AS c ON c.user_id = $1 AND c.id = t.connection_id
WHERE t.user_id = $1
  AND (t."sign" < $3 AND (t."booked_on" >= $4 AND t."booked_on" <= $5) AND c.label = $6 AND t."currency" = $7)
GROUP BY 1, 2, 3
) AS g
ORDER BY g.m2 DESC NULLS LAST, g.k0, g.k1, g.k2
LIMIT 1001
-- $1: uuid
-- $2: int8
-- $3: numeric
-- $4: date
-- $5: date
-- $6: text
-- $7: text
