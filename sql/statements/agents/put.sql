INSERT INTO agents (user_id, name, key_hash, sectors, created_at, revoked_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (user_id, name) DO UPDATE SET
    key_hash = excluded.key_hash,
    sectors = excluded.sectors,
    created_at = excluded.created_at,
    revoked_at = excluded.revoked_at,
    expires_at = excluded.expires_at,
    edition = agents.edition + 1
RETURNING name, key_hash, sectors, created_at, revoked_at, expires_at, edition
