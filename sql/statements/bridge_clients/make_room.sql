DELETE FROM bridge_clients
WHERE id IN (
    SELECT id FROM bridge_clients
    WHERE user_id = $1 AND used_at IS NULL
    ORDER BY registered_at DESC, id
    OFFSET $2
)
