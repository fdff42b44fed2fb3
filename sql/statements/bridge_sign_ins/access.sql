SELECT id, access_hash, key_hash, access_expires_at FROM bridge_sign_ins WHERE user_id = $1
