SELECT name, key_hash, sectors, created_at, revoked_at, expires_at, edition
FROM agents JOIN agent_editions USING (user_id, name)
WHERE user_id = $1 AND name = $2
