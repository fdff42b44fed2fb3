SELECT t."id", left(t."metric", $2::integer), t."start_at", left(t."unit", $3::integer), t."id"
FROM "health"."samples" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND ((t."metric" > $4) OR (t."metric" = $5 AND t."start_at" < $6) OR (t."metric" = $7 AND t."start_at" = $8 AND (t."unit" > $9 OR t."unit" IS NULL)) OR (t."metric" = $10 AND t."start_at" = $11 AND t."unit" = $12 AND t."id" > $13))
ORDER BY t."metric", t."start_at" DESC NULLS LAST, t."unit", t."id"
LIMIT $14
-- $1: uuid
-- $2: int8
-- $3: int8
-- $4: text
-- $5: text
-- $6: timestamptz
-- $7: text
-- $8: timestamptz
-- $9: text
-- $10: text
-- $11: timestamptz
-- $12: text
-- $13: uuid
-- $14: int8
