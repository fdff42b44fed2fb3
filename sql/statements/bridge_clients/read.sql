SELECT name, redirect_uris FROM bridge_clients
WHERE user_id = $1 AND id = $2 AND (used_at IS NOT NULL OR registered_at > $3)
