-- The store's present moment, and the connections of some sectors with the time of which they brought what there is: one row
-- each, or one without a connection. Asked where the published connections do not tell enough. What is read from a source is
-- covered from where its worst scope begins, once each scope has been begun.
SELECT
    g.generation,
    present.oldest,
    CASE WHEN $3 THEN g.history_purged::text END AS purged,
    c.sector,
    c.label,
    c.provider,
    c.target_table,
    c.paused_at IS NOT NULL AS is_paused,
    c.health,
    c.problem,
    c.last_success_at,
    c.is_sample,
    c.interval_s,
    c.expires_at,
    w.window_start,
    w.window_end
FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest) AS present
LEFT JOIN public.generations AS g ON g.user_id = $1
LEFT JOIN public.connections AS c ON c.user_id = $1 AND c.removed_at IS NULL AND c.sector = ANY($2)
LEFT JOIN LATERAL (
    SELECT
        CASE
            WHEN c.provider = 'push' THEN min(s.window_start)
            WHEN bool_and(s.is_begun OR NOT starts_with(s.scope, 'source:'))
                THEN max(s.window_start) FILTER (WHERE starts_with(s.scope, 'source:'))
        END AS window_start,
        max(s.window_end) AS window_end
    FROM public.sync_cursors AS s
    WHERE s.user_id = $1 AND s.connection_id = c.id
) AS w ON true
ORDER BY c.sector, c.label, c.id
