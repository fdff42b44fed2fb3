-- Leaves the domains $3 out of a home's actions; null for those that are out by default.
UPDATE connections
SET config = CASE
    WHEN $3::text[] IS NULL THEN config - 'left_out_domains'
    ELSE config || jsonb_build_object('left_out_domains', to_jsonb($3::text[]))
END
WHERE user_id = $1 AND id = $2 AND removed_at IS NULL
