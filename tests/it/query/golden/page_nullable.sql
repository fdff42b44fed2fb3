SELECT (SELECT g.generation FROM public.generations AS g WHERE g.user_id = $1) AS generation, (SELECT pg_snapshot_xmin(pg_current_snapshot())::text) AS oldest,
NULL::text AS purged,
t."id", t."received_at", t."id"
FROM "mail"."messages" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND (((t."received_at" < $2 OR t."received_at" IS NULL)) OR (t."received_at" = $3 AND t."id" < $4))
ORDER BY t."received_at" DESC NULLS LAST, t."id" DESC
LIMIT 51
-- $1: uuid
-- $2: timestamptz
-- $3: timestamptz
-- $4: uuid
