SELECT id, user_id, provider, label, sector, target_table, paused_at, ingest_secret_sha256
FROM connections
WHERE user_id = $1 AND removed_at IS NULL
