DELETE FROM bridge_sign_ins WHERE user_id = $1 RETURNING access_hash
