SELECT id, user_id, provider, label, sector, target_table, paused_at, ingest_secret_sha256, health, problem,
    last_success_at, interval_s, expires_at, is_sample
FROM connections
WHERE user_id = $1 AND removed_at IS NULL
ORDER BY sector, label, id
