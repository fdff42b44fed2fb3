SELECT (SELECT g.generation FROM public.generations AS g WHERE g.user_id = $1) AS generation, (SELECT pg_snapshot_xmin(pg_current_snapshot())::text) AS oldest,
NULL::text AS purged,
left(t."full_name", $2::integer), left(t."full_name", $3::integer), t."id"
FROM "contacts"."people" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND (EXISTS (SELECT 1 FROM unnest(t."categories") AS e WHERE e = $4) AND EXISTS (SELECT 1 FROM (SELECT j #>> '{}' AS e FROM jsonb_path_query(t."emails", '$.** ? (@.type() == "string")') AS j) AS s WHERE e ILIKE $5) AND EXISTS (SELECT 1 FROM unnest(t."nicknames") AS e WHERE e = ANY($6)) AND t."urls" IS NULL)
ORDER BY t."full_name", t."id"
LIMIT 51
-- $1: uuid
-- $2: int8
-- $3: int8
-- $4: text
-- $5: text
-- $6: _text

SELECT count(*)
FROM "contacts"."people" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
  AND (EXISTS (SELECT 1 FROM unnest(t."categories") AS e WHERE e = $2) AND EXISTS (SELECT 1 FROM (SELECT j #>> '{}' AS e FROM jsonb_path_query(t."emails", '$.** ? (@.type() == "string")') AS j) AS s WHERE e ILIKE $3) AND EXISTS (SELECT 1 FROM unnest(t."nicknames") AS e WHERE e = ANY($4)) AND t."urls" IS NULL)
-- $1: uuid
-- $2: text
-- $3: text
-- $4: _text
