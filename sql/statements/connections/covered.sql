-- The connections of some sectors, with the time of which they brought what there is.
SELECT
    c.sector,
    c.label,
    c.provider,
    c.target_table,
    c.paused_at IS NOT NULL AS is_paused,
    c.health,
    c.problem,
    c.last_success_at,
    w.window_start,
    w.window_end
FROM public.connections AS c
LEFT JOIN LATERAL (
    SELECT
        min(s.window_start) AS window_start,
        max(s.window_end) AS window_end
    FROM public.sync_cursors AS s
    WHERE s.user_id = $1 AND s.connection_id = c.id
) AS w ON true
WHERE c.user_id = $1 AND c.removed_at IS NULL AND c.sector = ANY($2)
ORDER BY c.sector, c.label, c.id
