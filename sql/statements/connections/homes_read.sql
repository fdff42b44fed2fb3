-- The connections over which homes are read; a push says itself what is gone.
SELECT id
FROM connections
WHERE user_id = $1 AND sector = 'home' AND provider <> 'push' AND removed_at IS NULL
ORDER BY id
