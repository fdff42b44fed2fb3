INSERT INTO sync_cursors (user_id, connection_id, scope, window_start, window_end, updated_at)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (connection_id, scope) DO UPDATE
SET window_start = excluded.window_start, window_end = excluded.window_end, updated_at = $6
