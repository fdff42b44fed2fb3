DELETE FROM provider_apps
WHERE user_id = $1 AND provider = $2
