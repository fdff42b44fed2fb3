-- The connections of the sectors $2, or the one $3 of them; removed ones too, since their rows may be kept.
SELECT id, sector
FROM connections
WHERE user_id = $1 AND sector = ANY($2::text[]) AND ($3::uuid IS NULL OR id = $3)
ORDER BY id
