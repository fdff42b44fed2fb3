-- What is kept of tokens, locked until others take its place.
SELECT sealed
FROM sign_ins
WHERE user_id = $1 AND id = $2 AND sealed IS NOT NULL AND revoked_at IS NULL
FOR UPDATE
