SELECT provider, account, sealed, expires_at, revoked_at IS NOT NULL AS is_revoked
FROM sign_ins
WHERE user_id = $1 AND id = $2
