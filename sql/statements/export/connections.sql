SELECT to_jsonb(kept)::text AS line
FROM (
    SELECT id, provider, label, sector, target_table, config, paused_at, removed_at, interval_s, window_days, health,
        problem, retry_at, wished_until, last_success_at, created_at, expires_at, sign_in_id
    FROM connections
    WHERE user_id = $1 AND ($2::text IS NULL OR sector = $2)
) AS kept
ORDER BY kept.id
