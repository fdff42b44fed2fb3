DELETE FROM agents
WHERE user_id = $1 AND name = $2
