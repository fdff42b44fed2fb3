-- What was connected by it before keeps its rows and forgets whose they were fetched as.
UPDATE connections
SET sign_in_id = NULL
WHERE user_id = $1 AND sign_in_id = $2
    AND NOT EXISTS (
        SELECT FROM connections AS other
        WHERE other.sign_in_id = $2 AND other.removed_at IS NULL
    )
