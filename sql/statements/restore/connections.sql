INSERT INTO connections (
    user_id, id, provider, label, sector, target_table, config, paused_at, removed_at, interval_s, window_days, health,
    problem, retry_at, last_success_at, created_at
)
SELECT
    $1, id, provider, label, sector, target_table, config, paused_at, removed_at, interval_s, window_days, health,
    problem, retry_at, last_success_at, created_at
FROM jsonb_populate_recordset(NULL::connections, $2::text::jsonb)
