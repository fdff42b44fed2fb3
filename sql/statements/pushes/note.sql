-- Notes a push to the connection $2, unless it has been removed, and deletes all but the newest notes of it.
WITH noted AS (
    INSERT INTO pushes (user_id, connection_id, inserted, updated, unchanged, deleted, rejected, bytes, refusal)
    SELECT $1, id, $3::bigint, $4::bigint, $5::bigint, $6::bigint, $7::bigint, $8::bigint, $9::jsonb
    FROM connections
    WHERE user_id = $1 AND id = $2 AND removed_at IS NULL
    FOR KEY SHARE
)
DELETE FROM pushes
WHERE user_id = $1 AND connection_id = $2 AND id <= (
    -- The note that this statement makes is not among these yet.
    SELECT id FROM pushes WHERE connection_id = $2 ORDER BY id DESC OFFSET $10 LIMIT 1
)
