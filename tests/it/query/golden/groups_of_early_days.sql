SELECT (SELECT g.generation FROM public.generations AS g WHERE g.user_id = $1) AS generation, (SELECT pg_snapshot_xmin(pg_current_snapshot())::text) AS oldest,
NULL::text AS purged,
g.k0, g.k1, g.m0, g.n, count(*) OVER (), g.o1
FROM (SELECT date_trunc('day', t."start_at" AT TIME ZONE $2 - (width_bucket(t."start_at", $3) % 2) * interval '1 day')::date AS k0, date_trunc('hour', t."start_at", $4) AS k1, extract(epoch FROM (t."start_at" AT TIME ZONE $5) - (t."start_at" AT TIME ZONE 'UTC'))::integer AS o1, count(*) AS m0, count(*) AS n
FROM "calendar"."events" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
GROUP BY 1, 2, 3
) AS g
ORDER BY g.k0, g.k1, g.o1
LIMIT 1001
-- $1: uuid
-- $2: text
-- $3: _timestamptz
-- $4: text
-- $5: text
