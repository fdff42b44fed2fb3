-- All connections of the sign-in of $2, held in the order in which a revocation locks them.
SELECT id
FROM connections
WHERE user_id = $1 AND removed_at IS NULL AND sign_in_id = (SELECT own.sign_in_id FROM connections AS own WHERE own.id = $2)
ORDER BY id
FOR NO KEY UPDATE
