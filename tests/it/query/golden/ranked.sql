SELECT (SELECT g.generation FROM public.generations AS g WHERE g.user_id = $1) AS generation, (SELECT pg_snapshot_xmin(pg_current_snapshot())::text) AS oldest,
NULL::text AS purged,
left(t."subject", $2::integer), c.label, t."received_at", t."id"
FROM (SELECT t.*
FROM "mail"."messages" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND t."is_read" = $3
  AND t.tsv @@ websearch_to_tsquery('simple', $4)
ORDER BY t."received_at" DESC NULLS LAST, t."id" DESC
LIMIT 2000) AS t
JOIN public.connections AS c ON c.user_id = $1 AND c.id = t.connection_id
ORDER BY ts_rank(t.tsv, websearch_to_tsquery('simple', $4), 1) DESC, t."received_at" DESC NULLS LAST, t."id" DESC
LIMIT 6
-- $1: uuid
-- $2: int8
-- $3: bool
-- $4: text

SELECT count(*)
FROM "mail"."messages" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND t."is_read" = $2
  AND t.tsv @@ websearch_to_tsquery('simple', $3)
-- $1: uuid
-- $2: bool
-- $3: text
