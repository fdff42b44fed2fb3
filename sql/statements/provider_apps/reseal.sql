UPDATE provider_apps
SET sealed = $3
WHERE user_id = $1 AND id = $2
