UPDATE connections
SET paused_at = NULL
WHERE user_id = $1 AND id = $2 AND removed_at IS NULL
RETURNING id, provider, label, sector, target_table, sign_in_id, paused_at, health, problem, interval_s, window_days,
    retry_at, last_success_at, created_at, ingest_secret_sha256 IS NOT NULL AS has_secret,
    is_sample, expires_at, (SELECT s.account FROM sign_ins AS s WHERE s.id = sign_in_id) AS account
