SELECT provider, account, sealed, expires_at
FROM sign_ins
WHERE user_id = $1 AND id = $2
