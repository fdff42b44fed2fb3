WITH written AS (
    INSERT INTO agents (user_id, name, key_hash, sectors, created_at, revoked_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (user_id, name) DO UPDATE SET
        key_hash = excluded.key_hash,
        sectors = excluded.sectors,
        created_at = excluded.created_at,
        revoked_at = excluded.revoked_at,
        expires_at = excluded.expires_at
    RETURNING name, key_hash, sectors, created_at, revoked_at, expires_at
), counted AS (
    INSERT INTO agent_editions (user_id, name)
    VALUES ($1, $2)
    ON CONFLICT (user_id, name) DO UPDATE SET edition = agent_editions.edition + 1
    RETURNING edition
)
SELECT name, key_hash, sectors, created_at, revoked_at, expires_at, edition
FROM written CROSS JOIN counted
