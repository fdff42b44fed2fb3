SELECT id, provider, identity, account, created_at, expires_at, revoked_at, problem, sealed IS NOT NULL AS has_secret,
    scopes, is_unfinished, renews
FROM sign_ins
WHERE user_id = $1
ORDER BY created_at, id
