-- The items of a scope that a pass which began at $3 has not named. One that lies before the window $4 was not asked for, and is
-- not judged.
SELECT key, holds
FROM source_items
WHERE connection_id = $1 AND scope = $2 AND seen_at < $3 AND ($4::timestamptz IS NULL OR at IS NULL OR at >= $4)
ORDER BY key
