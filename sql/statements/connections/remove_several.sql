UPDATE connections
SET removed_at = $3, ingest_secret_sha256 = NULL
WHERE user_id = $1 AND id = ANY($2::uuid[]) AND removed_at IS NULL
