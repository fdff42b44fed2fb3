SELECT (SELECT g.generation FROM public.generations AS g WHERE g.user_id = $1) AS generation, (SELECT pg_snapshot_xmin(pg_current_snapshot())::text) AS oldest,
NULL::text AS purged,
t."id", t."amount", t."booked_on", t."id"
FROM "finance"."transactions" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND ((t."amount" < $2) OR (t."amount" = $3 AND t."booked_on" > $4) OR (t."amount" = $5 AND t."booked_on" = $6 AND t."id" > $7))
ORDER BY t."amount" DESC NULLS LAST, t."booked_on", t."id"
LIMIT 51
-- $1: uuid
-- $2: numeric
-- $3: numeric
-- $4: date
-- $5: numeric
-- $6: date
-- $7: uuid
