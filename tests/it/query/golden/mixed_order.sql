SELECT t."value", left(t."metric", $2::integer), t."start_at", t."id"
FROM "health"."samples" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
ORDER BY t."metric", t."start_at" DESC NULLS LAST, t."id" DESC
LIMIT 51
-- $1: uuid
-- $2: int8

SELECT count(*)
FROM "health"."samples" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
-- $1: uuid
