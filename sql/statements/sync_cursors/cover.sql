INSERT INTO sync_cursors (user_id, connection_id, scope, window_start, window_end, updated_at)
SELECT $1, $2, reach.scope, reach.window_start, reach.window_end, $6
FROM unnest($3::text[], $4::timestamptz[], $5::timestamptz[]) AS reach(scope, window_start, window_end)
ON CONFLICT (connection_id, scope) DO UPDATE
SET window_start = excluded.window_start, window_end = excluded.window_end, updated_at = $6
