-- A connection that a home is read over, paused or not, held while rows of it go.
SELECT id
FROM connections
WHERE user_id = $1 AND id = $2 AND removed_at IS NULL
FOR NO KEY UPDATE
