SELECT to_jsonb(kept)::text AS line
FROM (
    SELECT reach.connection_id, reach.scope, reach.cursor, reach.window_start, reach.window_end, reach.full_sync_at,
        reach.doubted_at, reach.updated_at
    FROM sync_cursors AS reach
    JOIN connections AS source ON source.id = reach.connection_id
    WHERE reach.user_id = $1 AND ($2::text IS NULL OR source.sector = $2)
) AS kept
ORDER BY kept.connection_id, kept.scope COLLATE "C"
