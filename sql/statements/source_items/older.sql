-- At the most $4 items of a scope that lie before $3, the oldest first.
SELECT key
FROM source_items
WHERE connection_id = $1 AND scope = $2 AND scope = 'history' AND at < $3
ORDER BY at
LIMIT $4
