SELECT (SELECT g.generation FROM public.generations AS g WHERE g.user_id = $1) AS generation, (SELECT pg_snapshot_xmin(pg_current_snapshot())::text) AS oldest,
NULL::text AS purged,
left(t."subject", $2::integer), t."received_at", t."id"
FROM "mail"."messages" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND t.tsv @@ websearch_to_tsquery('simple', $3)
ORDER BY t."received_at" DESC NULLS LAST, t."id" DESC
LIMIT 51
-- $1: uuid
-- $2: int8
-- $3: text

SELECT count(*)
FROM "mail"."messages" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND t.tsv @@ websearch_to_tsquery('simple', $2)
-- $1: uuid
-- $2: text
