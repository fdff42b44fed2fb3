-- The credential is there again: what waited for it goes on, at once. What waits for its source goes on waiting.
WITH kept AS (
    UPDATE connections
    SET expires_at = $3
    WHERE user_id = $1 AND sign_in_id = $2 AND removed_at IS NULL
        AND health NOT IN ('needs_sign_in', 'needs_credentials', 'consent_expired')
)
UPDATE connections
SET expires_at = $3, health = 'waiting', problem = NULL, retry_at = NULL
WHERE user_id = $1 AND sign_in_id = $2 AND removed_at IS NULL
    AND health IN ('needs_sign_in', 'needs_credentials', 'consent_expired')
