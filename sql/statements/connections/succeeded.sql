UPDATE connections
SET last_success_at = now(), health = 'ok', problem = NULL, retry_at = NULL, wished_until = NULL
WHERE user_id = $1 AND id = $2
