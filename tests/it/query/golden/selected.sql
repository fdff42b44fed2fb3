SELECT (SELECT g.generation FROM public.generations AS g WHERE g.user_id = $1) AS generation, (SELECT pg_snapshot_xmin(pg_current_snapshot())::text) AS oldest,
NULL::text AS purged,
t."received_at", left(t."subject", $2::integer), c.label, t."received_at", t."id"
FROM "mail"."messages" AS t
JOIN public.connections AS c ON c.user_id = $1 AND c.id = t.connection_id
WHERE t.user_id = $1 AND t.deleted_at IS NULL
ORDER BY t."received_at" DESC NULLS LAST, t."id" DESC
LIMIT 6
-- $1: uuid
-- $2: int8

SELECT count(*)
FROM "mail"."messages" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
-- $1: uuid
