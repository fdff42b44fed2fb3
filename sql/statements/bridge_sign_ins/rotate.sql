UPDATE bridge_sign_ins
SET access_hash = $3, access_expires_at = $4, refresh_hash = $5, spent_hash = refresh_hash, rotation_seed = $6, rotated_at = $7,
    used_at = $7
WHERE user_id = $1 AND id = $2
