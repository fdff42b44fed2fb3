SELECT (SELECT g.generation FROM public.generations AS g WHERE g.user_id = $1) AS generation, (SELECT pg_snapshot_xmin(pg_current_snapshot())::text) AS oldest,
NULL::text AS purged,
left(g.k0, $2::integer), g.k1, left(g.m0, $3::integer), g.m1, g.m2, g.m3, g.m4, g.m5, g.m6, g.m7, g.m8, g.n, count(*) OVER ()
FROM (SELECT t."category" AS k0, date_trunc('month', t."booked_on"::timestamp)::date AS k1, max(c.label) AS m0, min(t."amount") AS m1, trim_scale(round(sum(t."amount")::numeric * 1.000000000000 / count(t."amount"), 8)) AS m2, trim_scale((percentile_disc(0.5) WITHIN GROUP (ORDER BY t."amount")::numeric + percentile_disc(0.5) WITHIN GROUP (ORDER BY t."amount" DESC)) * 0.5) AS m3, max(t."amount") AS m4, count(*) AS m5, count(t."category") AS m6, count(DISTINCT t."merchant_name") AS m7, sum(t."amount") AS m8, count(*) AS n
FROM "finance"."transactions" AS t
JOIN public.connections AS c ON c.user_id = $1 AND c.id = t.connection_id
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND (t."amount" < $4 AND t."currency" = $5)
GROUP BY 1, 2
) AS g
ORDER BY g.m8 DESC NULLS LAST, g.k0, g.k1
LIMIT 11
-- $1: uuid
-- $2: int8
-- $3: int8
-- $4: numeric
-- $5: text
