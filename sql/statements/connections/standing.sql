-- The store's present moment, and the connections of some sectors: one row each, or one without a connection.
SELECT
    g.generation,
    present.oldest,
    s.sector,
    s.label,
    s.provider,
    s.target_table,
    s.is_paused,
    s.health,
    s.problem,
    s.last_success_at,
    s.window_start,
    s.window_end
FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest) AS present
LEFT JOIN public.generations AS g ON g.user_id = $1
LEFT JOIN (
    SELECT
        c.id,
        c.sector,
        c.label,
        c.provider,
        c.target_table,
        c.paused_at IS NOT NULL AS is_paused,
        c.health,
        c.problem,
        c.last_success_at,
        min(w.window_start) AS window_start,
        max(w.window_end) AS window_end
    FROM public.connections AS c
    LEFT JOIN public.sync_cursors AS w ON w.user_id = $1 AND w.connection_id = c.id
    WHERE c.user_id = $1 AND c.removed_at IS NULL AND c.sector = ANY($2)
    GROUP BY c.id
) AS s ON true
ORDER BY s.sector, s.label, s.id
