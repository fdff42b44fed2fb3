-- The versions $4 of the stored items $3.
UPDATE source_items AS stored
SET version = told.version, seen_at = greatest(stored.seen_at, $5)
FROM unnest($3::text[], $4::text[]) AS told(key, version)
WHERE stored.connection_id = $1 AND stored.scope = $2 AND stored.key = told.key
