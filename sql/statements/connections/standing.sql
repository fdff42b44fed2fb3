-- The store's present moment, and the connections of some sectors: one row each, or one without a connection. Asked with every
-- call: what takes longer to find stands in covered.sql.
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
    c.last_success_at
FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest) AS present
LEFT JOIN public.generations AS g ON g.user_id = $1
LEFT JOIN public.connections AS c ON c.user_id = $1 AND c.removed_at IS NULL AND c.sector = ANY($2)
ORDER BY c.sector, c.label, c.id
