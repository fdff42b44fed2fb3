SELECT agents.name, client_id, client_name, bridge_sign_ins.created_at, used_at
FROM bridge_sign_ins JOIN agents USING (user_id, key_hash)
WHERE user_id = $1 AND agents.revoked_at IS NULL
ORDER BY bridge_sign_ins.created_at, bridge_sign_ins.id
