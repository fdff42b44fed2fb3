SELECT provider, interval_s, last_success_at, retry_at, health
FROM connections
WHERE user_id = $1 AND id = $2 AND removed_at IS NULL
