-- Each revoked, under a hash that no key has. One that is here already is left as it is; answers those that were not.
WITH brought AS (
    INSERT INTO agents (user_id, name, key_hash, sectors, created_at, revoked_at, expires_at)
    SELECT
        $1, name, sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), sectors, created_at,
        coalesce(revoked_at, now()), expires_at
    FROM jsonb_populate_recordset(NULL::agents, $2::text::jsonb)
    ON CONFLICT (user_id, name) DO NOTHING
    RETURNING user_id, name
), counted AS (
    INSERT INTO agent_editions (user_id, name)
    SELECT user_id, name FROM brought
    ON CONFLICT (user_id, name) DO UPDATE SET edition = agent_editions.edition + 1
)
SELECT name FROM brought ORDER BY name
