-- The items of the jsonb array $4, as the source has them now.
INSERT INTO source_items (user_id, connection_id, scope, key, version, at, holds, records, seen_at)
SELECT $1, $2, $3, item.key, item.version, item.at, item.holds, item.records, $5
FROM jsonb_to_recordset($4) AS item(key text, version text, at timestamptz, holds text, records jsonb)
ON CONFLICT (connection_id, scope, key) DO UPDATE
SET version = excluded.version, at = excluded.at, holds = excluded.holds, records = excluded.records,
    seen_at = greatest(source_items.seen_at, excluded.seen_at)
