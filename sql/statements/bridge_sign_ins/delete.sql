DELETE FROM bridge_sign_ins WHERE user_id = $1 AND id = $2 RETURNING access_hash
