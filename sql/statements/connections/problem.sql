-- What was wrong with a connection, held for whoever writes what is wrong now.
SELECT problem
FROM connections
WHERE user_id = $1 AND id = $2 AND removed_at IS NULL
FOR NO KEY UPDATE
