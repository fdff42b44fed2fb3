SELECT (SELECT g.generation FROM public.generations AS g WHERE g.user_id = $1) AS generation, (SELECT pg_snapshot_xmin(pg_current_snapshot())::text) AS oldest,
NULL::text AS purged,
t."id", t."id", (t.deleted_at IS NULL
  AND t."amount" < $2) IS TRUE
FROM "finance"."transactions" AS t
WHERE t.user_id = $1 AND t.changed_xid >= $3::text::xid8
ORDER BY t."id"
LIMIT 51
-- $1: uuid
-- $2: numeric
-- $3: text

SELECT count(*)
FROM "finance"."transactions" AS t
WHERE t.user_id = $1 AND t.changed_xid >= $2::text::xid8 AND t.deleted_at IS NULL
  AND t."amount" < $3
-- $1: uuid
-- $2: text
-- $3: numeric
