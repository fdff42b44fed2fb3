SELECT id, label, sector
FROM connections
WHERE user_id = $1 AND sign_in_id = $2 AND removed_at IS NULL
ORDER BY sector, created_at, id
