-- One that is here already is left as it is, and takes the rows; answers the labels of those.
WITH told AS (
    SELECT id, provider, label, sector, target_table, config, paused_at, removed_at, interval_s, window_days, health,
        problem, retry_at, last_success_at, created_at
    FROM jsonb_populate_recordset(NULL::connections, $2::text::jsonb)
), brought AS (
    INSERT INTO connections (
        user_id, id, provider, label, sector, target_table, config, paused_at, removed_at, interval_s, window_days, health,
        problem, retry_at, last_success_at, created_at
    )
    SELECT
        $1, id, provider, label, sector, target_table, config, paused_at, removed_at, interval_s, window_days, health,
        problem, retry_at, last_success_at, created_at
    FROM told
    ON CONFLICT (id) DO NOTHING
)
SELECT here.label AS name
FROM connections AS here
JOIN told ON told.id = here.id
ORDER BY here.label COLLATE "C", here.id
