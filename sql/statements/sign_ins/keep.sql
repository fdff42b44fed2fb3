UPDATE sign_ins
SET sealed = $3, expires_at = $4, revoked_at = NULL, problem = NULL
WHERE user_id = $1 AND id = $2
