-- Each locked until the transaction ends, in the order in which an erase locks them.
SELECT id, sector
FROM connections
WHERE user_id = $1 AND removed_at IS NULL AND is_sample
ORDER BY id
FOR UPDATE
