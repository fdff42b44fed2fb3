-- What a connection is read by: the interval $3 in seconds unless it is null, and the window $5 in days if $4. What is pushed has neither.
UPDATE connections
SET interval_s = coalesce($3::integer, interval_s),
    window_days = CASE WHEN $4::boolean THEN $5::integer ELSE window_days END
WHERE user_id = $1 AND id = $2 AND removed_at IS NULL AND provider <> 'push'
RETURNING id, provider, label, sector, target_table, sign_in_id, paused_at, health, problem, interval_s, window_days,
    retry_at, last_success_at, created_at, ingest_secret_sha256 IS NOT NULL AS has_secret,
    is_sample, expires_at, (SELECT s.account FROM sign_ins AS s WHERE s.id = sign_in_id) AS account
