-- Where a scope stands now, from when on it is covered (null: from its beginning), when a pass over everything ended, and the pass
-- that is in doubt.
INSERT INTO sync_cursors (user_id, connection_id, scope, cursor, window_start, full_sync_at, doubted_at, updated_at)
VALUES ($1, $2, 'source:' || $3::text, $4, $5, $6, $7, $8)
ON CONFLICT (connection_id, scope) DO UPDATE
SET cursor = excluded.cursor, window_start = excluded.window_start, doubted_at = excluded.doubted_at,
    full_sync_at = coalesce(excluded.full_sync_at, sync_cursors.full_sync_at), updated_at = excluded.updated_at
