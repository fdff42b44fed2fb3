UPDATE bridge_clients SET used_at = $3 WHERE user_id = $1 AND id = $2
