SELECT provider, scopes, sealed, renews
FROM sign_ins
WHERE user_id = $1 AND id = $2 AND is_unfinished AND sealed IS NOT NULL
FOR UPDATE
