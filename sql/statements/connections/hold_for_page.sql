-- The connection, held until the page is committed, unless it may not take one any more. Who pauses, removes, revokes or erases
-- changes its row, and so waits for the page.
SELECT source.id
FROM connections AS source
LEFT JOIN sign_ins AS credential ON credential.id = source.sign_in_id
WHERE source.user_id = $1 AND source.id = $2 AND source.removed_at IS NULL AND source.paused_at IS NULL
    AND credential.revoked_at IS NULL
FOR NO KEY UPDATE OF source
