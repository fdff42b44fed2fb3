UPDATE connections
SET ingest_secret_sha256 = $3
WHERE user_id = $1 AND id = $2 AND removed_at IS NULL AND provider = 'push'
