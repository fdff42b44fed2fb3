SELECT (SELECT g.generation FROM public.generations AS g WHERE g.user_id = $1) AS generation, (SELECT pg_snapshot_xmin(pg_current_snapshot())::text) AS oldest,
NULL::text AS purged,
g.k0, g.k1, g.k2, g.k3, left(g.k4, $2::integer), g.m0, g.m1, g.n, count(*) OVER (), g.o0, g.o2
FROM (SELECT date_trunc('hour', t."start_at", $3) AS k0, date_trunc('day', t."start_at" AT TIME ZONE $4)::date AS k1, date_trunc('hour', t."end_at", $5) AS k2, extract(isodow FROM t."start_at" AT TIME ZONE $6)::integer AS k3, c.label AS k4, extract(epoch FROM (t."start_at" AT TIME ZONE $7) - (t."start_at" AT TIME ZONE 'UTC'))::integer AS o0, extract(epoch FROM (t."end_at" AT TIME ZONE $8) - (t."end_at" AT TIME ZONE 'UTC'))::integer AS o2, avg(t."value") AS m0, percentile_cont(0.5) WITHIN GROUP (ORDER BY t."value") AS m1, count(*) AS n
FROM "health"."samples" AS t
JOIN public.connections AS c ON c.user_id = $1 AND c.id = t.connection_id
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND (t."metric" = $9 AND t."unit" = $10)
GROUP BY 1, 2, 3, 4, 5, 6, 7
) AS g
ORDER BY g.k0, g.k1, g.k2, g.k3, g.k4, g.o0, g.o2
LIMIT 1001
-- $1: uuid
-- $2: int8
-- $3: text
-- $4: text
-- $5: text
-- $6: text
-- $7: text
-- $8: text
-- $9: text
-- $10: text
