SELECT client_id, key_hash, used_at, access_hash, access_expires_at, refresh_hash, spent_hash, rotation_seed, rotated_at
FROM bridge_sign_ins
WHERE user_id = $1 AND id = $2
FOR UPDATE
