INSERT INTO source_items (user_id, connection_id, scope, key, version, at, holds, records, seen_at)
SELECT $1, connection_id, scope, key, version, at, holds, records, seen_at
FROM jsonb_populate_recordset(NULL::source_items, $2::text::jsonb)
