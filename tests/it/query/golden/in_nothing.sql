SELECT (SELECT g.generation FROM public.generations AS g WHERE g.user_id = $1) AS generation, (SELECT pg_snapshot_xmin(pg_current_snapshot())::text) AS oldest,
NULL::text AS purged,
t."id", t."booked_on", t."id"
FROM "finance"."transactions" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND false
ORDER BY t."booked_on" DESC NULLS LAST, t."id" DESC
LIMIT 51
-- $1: uuid

SELECT count(*)
FROM "finance"."transactions" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND false
-- $1: uuid
