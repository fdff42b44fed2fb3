-- The pushes of the connection $2 before the one with the id $3, the newest first.
SELECT id, at, inserted, updated, unchanged, deleted, rejected, bytes, refusal
FROM pushes
WHERE user_id = $1 AND connection_id = $2 AND id < $3
ORDER BY id DESC
LIMIT $4
