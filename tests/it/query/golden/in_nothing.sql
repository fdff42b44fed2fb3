SELECT t."id", t."booked_on", t."id"
FROM "finance"."transactions" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND false
ORDER BY t."booked_on" DESC NULLS LAST, t."id" DESC
LIMIT 51
-- $1: uuid

SELECT count(*)
FROM "finance"."transactions" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND false
-- $1: uuid
