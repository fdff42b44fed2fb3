UPDATE sign_ins
SET sealed = NULL, revoked_at = coalesce(revoked_at, $3)
WHERE user_id = $1 AND id = $2
