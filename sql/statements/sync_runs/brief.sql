-- The last $2 runs of each connection, the newest first, as the strips of a list show them.
SELECT run.connection_id, run.started_at, run.outcome, run.changed
FROM connections AS c
CROSS JOIN LATERAL (
    SELECT r.connection_id, r.id, r.started_at, r.outcome, r.upserted::bigint + r.deleted AS changed
    FROM sync_runs AS r
    WHERE r.connection_id = c.id
    ORDER BY r.started_at DESC, r.id DESC
    LIMIT $2
) AS run
WHERE c.user_id = $1 AND c.removed_at IS NULL
ORDER BY run.connection_id, run.started_at DESC, run.id DESC
