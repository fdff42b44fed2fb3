INSERT INTO sync_cursors (
    user_id, connection_id, scope, cursor, window_start, window_end, full_sync_at, doubted_at, updated_at
)
SELECT $1, connection_id, scope, cursor, window_start, window_end, full_sync_at, doubted_at, updated_at
FROM jsonb_populate_recordset(NULL::sync_cursors, $2::text::jsonb)
