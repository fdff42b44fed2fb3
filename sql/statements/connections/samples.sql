SELECT id, sector
FROM connections
WHERE user_id = $1 AND removed_at IS NULL AND is_sample
ORDER BY sector, created_at, id
