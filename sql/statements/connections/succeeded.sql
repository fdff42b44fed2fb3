UPDATE connections SET last_success_at = now() WHERE user_id = $1 AND id = $2
