-- The runs of the connection $2, the newest first.
SELECT id, started_at, ended_at, outcome, upserted, deleted, skipped, message
FROM sync_runs
WHERE user_id = $1 AND connection_id = $2
ORDER BY started_at DESC, id DESC
LIMIT $3
