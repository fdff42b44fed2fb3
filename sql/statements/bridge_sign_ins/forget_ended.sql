DELETE FROM bridge_sign_ins
WHERE user_id = $1
    AND (
        used_at <= $2
        OR NOT EXISTS (
            SELECT FROM agents
            WHERE agents.user_id = bridge_sign_ins.user_id
                AND agents.key_hash = bridge_sign_ins.key_hash
                AND agents.revoked_at IS NULL
        )
    )
RETURNING access_hash
