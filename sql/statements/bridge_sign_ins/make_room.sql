DELETE FROM bridge_sign_ins
WHERE id IN (
    SELECT id FROM bridge_sign_ins
    WHERE user_id = $1 AND key_hash = $2
    ORDER BY used_at DESC, id
    OFFSET $3
)
RETURNING access_hash
