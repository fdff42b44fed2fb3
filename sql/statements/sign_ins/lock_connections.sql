-- The same, each locked until the transaction ends, in the order in which an erase locks them: what is being stored of them holds
-- theirs, and is waited for.
SELECT id, label, sector
FROM connections
WHERE user_id = $1 AND sign_in_id = $2 AND removed_at IS NULL
ORDER BY id
FOR UPDATE
