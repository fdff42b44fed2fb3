SELECT (SELECT g.generation FROM public.generations AS g WHERE g.user_id = $1) AS generation, (SELECT pg_snapshot_xmin(pg_current_snapshot())::text) AS oldest,
NULL::text AS purged,
t."id", t."booked_on", t."id"
FROM "finance"."transactions" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND ((t."amount" >= $2 AND t."amount" < $3) AND (t."booked_on" = ANY($4)) IS NOT TRUE AND (t."category" = $5) IS NOT TRUE AND t."description" ILIKE $6 AND t."merchant_name" ILIKE $7 AND t."reference" IS NULL AND (t."status" = ANY($8) OR t."status" IS NULL) AND (t."value_on" IS NULL) IS NOT TRUE)
ORDER BY t."booked_on" DESC NULLS LAST, t."id" DESC
LIMIT 51
-- $1: uuid
-- $2: numeric
-- $3: numeric
-- $4: _date
-- $5: text
-- $6: text
-- $7: text
-- $8: _text

SELECT count(*)
FROM "finance"."transactions" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND ((t."amount" >= $2 AND t."amount" < $3) AND (t."booked_on" = ANY($4)) IS NOT TRUE AND (t."category" = $5) IS NOT TRUE AND t."description" ILIKE $6 AND t."merchant_name" ILIKE $7 AND t."reference" IS NULL AND (t."status" = ANY($8) OR t."status" IS NULL) AND (t."value_on" IS NULL) IS NOT TRUE)
-- $1: uuid
-- $2: numeric
-- $3: numeric
-- $4: _date
-- $5: text
-- $6: text
-- $7: text
-- $8: _text
