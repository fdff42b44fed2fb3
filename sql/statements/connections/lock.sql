SELECT id
FROM connections
WHERE user_id = $1 AND id = $2 AND removed_at IS NULL
FOR UPDATE
