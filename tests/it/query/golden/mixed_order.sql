SELECT (SELECT g.generation FROM public.generations AS g WHERE g.user_id = $1) AS generation, (SELECT pg_snapshot_xmin(pg_current_snapshot())::text) AS oldest,
NULL::text AS purged,
t."value", left(t."metric", $2::integer), t."start_at", t."id"
FROM "health"."samples" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
ORDER BY t."metric", t."start_at" DESC NULLS LAST, t."id" DESC
LIMIT 51
-- $1: uuid
-- $2: int8

SELECT count(*)
FROM "health"."samples" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
-- $1: uuid
