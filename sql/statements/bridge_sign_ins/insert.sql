INSERT INTO bridge_sign_ins (
    user_id, id, client_id, client_name, key_hash, created_at, used_at, access_hash, access_expires_at, refresh_hash
)
VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9)
