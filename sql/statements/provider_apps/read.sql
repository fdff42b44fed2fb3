SELECT id, client_id, sealed
FROM provider_apps
WHERE user_id = $1 AND provider = $2
