-- The store's present moment, and the connections of some sectors with the time of which they brought what there is: one row
-- each, or one without a connection. Asked where the published connections do not tell enough.
SELECT
    g.generation,
    present.oldest,
    c.sector,
    c.label,
    c.provider,
    c.target_table,
    c.paused_at IS NOT NULL AS is_paused,
    c.health,
    c.problem,
    c.last_success_at,
    c.is_sample,
    w.window_start,
    w.window_end
FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest) AS present
LEFT JOIN public.generations AS g ON g.user_id = $1
LEFT JOIN public.connections AS c ON c.user_id = $1 AND c.removed_at IS NULL AND c.sector = ANY($2)
LEFT JOIN LATERAL (
    SELECT
        min(s.window_start) AS window_start,
        max(s.window_end) AS window_end
    FROM public.sync_cursors AS s
    WHERE s.user_id = $1 AND s.connection_id = c.id
) AS w ON true
ORDER BY c.sector, c.label, c.id
