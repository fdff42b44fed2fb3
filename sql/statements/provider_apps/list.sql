SELECT provider, client_id
FROM provider_apps
WHERE user_id = $1
ORDER BY provider
