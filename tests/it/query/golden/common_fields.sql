SELECT (SELECT g.generation FROM public.generations AS g WHERE g.user_id = $1) AS generation, (SELECT pg_snapshot_xmin(pg_current_snapshot())::text) AS oldest,
NULL::text AS purged,
t."id", c.label, t.synced_at, t.synced_at, t."id"
FROM "home"."entities" AS t
JOIN public.connections AS c ON c.user_id = $1 AND c.id = t.connection_id
WHERE t.user_id = $1 AND t.deleted_at IS NULL
ORDER BY t.synced_at DESC NULLS LAST, t."id" DESC
LIMIT 51
-- $1: uuid

SELECT count(*)
FROM "home"."entities" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
-- $1: uuid
