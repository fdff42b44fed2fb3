SELECT id, sealed
FROM provider_apps
WHERE user_id = $1
ORDER BY id
FOR UPDATE
