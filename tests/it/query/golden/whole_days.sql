SELECT (SELECT g.generation FROM public.generations AS g WHERE g.user_id = $1) AS generation, (SELECT pg_snapshot_xmin(pg_current_snapshot())::text) AS oldest,
NULL::text AS purged,
left(t."title", $2::integer), t."start_at", t."id"
FROM "calendar"."events" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND ((t."end_at" >= $3 AND t."end_at" < $4) AND (t."start_at" >= $5 AND t."start_at" < $6))
ORDER BY t."start_at" DESC NULLS LAST, t."id" DESC
LIMIT 51
-- $1: uuid
-- $2: int8
-- $3: timestamptz
-- $4: timestamptz
-- $5: timestamptz
-- $6: timestamptz

SELECT count(*)
FROM "calendar"."events" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND ((t."end_at" >= $2 AND t."end_at" < $3) AND (t."start_at" >= $4 AND t."start_at" < $5))
-- $1: uuid
-- $2: timestamptz
-- $3: timestamptz
-- $4: timestamptz
-- $5: timestamptz
