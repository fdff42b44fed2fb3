SELECT to_jsonb(kept)::text AS line
FROM (
    SELECT name, sectors, created_at, revoked_at, expires_at
    FROM agents
    WHERE user_id = $1 AND ($2::text IS NULL OR $2 = ANY(sectors) OR sectors = ARRAY['*'])
) AS kept
ORDER BY kept.name COLLATE "C"
