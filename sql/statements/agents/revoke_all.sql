WITH revoked AS (
    UPDATE agents SET revoked_at = $2
    WHERE user_id = $1 AND revoked_at IS NULL
    RETURNING user_id, name, key_hash, sectors, created_at, revoked_at, expires_at
), counted AS (
    INSERT INTO agent_editions (user_id, name)
    SELECT user_id, name
    FROM revoked
    ON CONFLICT (user_id, name) DO UPDATE SET edition = agent_editions.edition + 1
    RETURNING user_id, name, edition
)
SELECT name, key_hash, sectors, created_at, revoked_at, expires_at, edition
FROM revoked JOIN counted USING (user_id, name)
ORDER BY name
