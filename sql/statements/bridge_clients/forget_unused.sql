DELETE FROM bridge_clients
WHERE user_id = $1 AND used_at IS NULL AND registered_at <= $2
