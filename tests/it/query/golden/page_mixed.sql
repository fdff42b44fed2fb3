SELECT (SELECT g.generation FROM public.generations AS g WHERE g.user_id = $1) AS generation, (SELECT pg_snapshot_xmin(pg_current_snapshot())::text) AS oldest,
NULL::text AS purged,
t."id", left(t."metric", $2::integer), t."start_at", left(t."unit", $2::integer), t."id"
FROM "health"."samples" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND ((t."metric" > $3) OR (t."metric" = $4 AND t."start_at" < $5) OR (t."metric" = $6 AND t."start_at" = $7 AND (t."unit" > $8 OR t."unit" IS NULL)) OR (t."metric" = $9 AND t."start_at" = $10 AND t."unit" = $11 AND t."id" > $12))
ORDER BY t."metric", t."start_at" DESC NULLS LAST, t."unit", t."id"
LIMIT 51
-- $1: uuid
-- $2: int8
-- $3: text
-- $4: text
-- $5: timestamptz
-- $6: text
-- $7: timestamptz
-- $8: text
-- $9: text
-- $10: timestamptz
-- $11: text
-- $12: uuid
