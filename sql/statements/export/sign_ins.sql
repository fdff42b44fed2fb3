-- Without the secret: it opens nothing elsewhere.
SELECT to_jsonb(kept)::text AS line
FROM (
    SELECT id, provider, identity, account, scopes, created_at, expires_at, revoked_at, problem
    FROM sign_ins
    WHERE user_id = $1 AND NOT is_unfinished AND ($2::text IS NULL OR EXISTS (
        SELECT FROM connections AS source WHERE source.sign_in_id = sign_ins.id AND source.sector = $2
    ))
) AS kept
ORDER BY kept.id
