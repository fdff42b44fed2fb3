SELECT (SELECT g.generation FROM public.generations AS g WHERE g.user_id = $1) AS generation, (SELECT pg_snapshot_xmin(pg_current_snapshot())::text) AS oldest,
NULL::text AS purged,
t."id", t."booked_on", t."id"
FROM "finance"."transactions" AS t
JOIN public.connections AS c ON c.user_id = $1 AND c.id = t.connection_id
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND ((c.label = $2) IS NOT TRUE AND (t."category" = $3 OR (t."amount" <= $4 AND (t."currency" = $5) IS NOT TRUE)))
ORDER BY t."booked_on" DESC NULLS LAST, t."id" DESC
LIMIT 51
-- $1: uuid
-- $2: text
-- $3: text
-- $4: numeric
-- $5: text

SELECT count(*)
FROM "finance"."transactions" AS t
JOIN public.connections AS c ON c.user_id = $1 AND c.id = t.connection_id
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND ((c.label = $2) IS NOT TRUE AND (t."category" = $3 OR (t."amount" <= $4 AND (t."currency" = $5) IS NOT TRUE)))
-- $1: uuid
-- $2: text
-- $3: text
-- $4: numeric
-- $5: text
