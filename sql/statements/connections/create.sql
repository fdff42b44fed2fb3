INSERT INTO connections (user_id, id, provider, label, sector, target_table, ingest_secret_sha256, health, created_at,
    config)
VALUES ($1, $2, 'push', $3, $4, $5, $6, 'waiting', $7,
    CASE WHEN $8 THEN '{"sample": true}'::jsonb ELSE '{}'::jsonb END)
RETURNING id, provider, label, sector, target_table, sign_in_id, paused_at, health, problem, interval_s, window_days,
    retry_at, last_success_at, created_at, ingest_secret_sha256 IS NOT NULL AS has_secret,
    is_sample, expires_at, (SELECT s.account FROM sign_ins AS s WHERE s.id = sign_in_id) AS account
