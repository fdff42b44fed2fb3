DELETE FROM sync_runs
WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
