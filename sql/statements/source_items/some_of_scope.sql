-- At the most $3 items of a scope.
SELECT key, version, holds, records
FROM source_items
WHERE connection_id = $1 AND scope = $2
ORDER BY key
LIMIT $3
