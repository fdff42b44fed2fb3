SELECT id, sealed
FROM sign_ins
WHERE user_id = $1 AND sealed IS NOT NULL
ORDER BY id
FOR UPDATE
