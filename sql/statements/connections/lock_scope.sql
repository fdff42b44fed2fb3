-- The same, each locked until the transaction ends: pushes under way hold theirs, and are waited for.
SELECT id, sector
FROM connections
WHERE user_id = $1 AND sector = ANY($2::text[]) AND ($3::uuid IS NULL OR id = $3)
ORDER BY id
FOR UPDATE
