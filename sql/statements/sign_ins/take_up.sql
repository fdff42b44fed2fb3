-- The credential is there again: what waited for it, or whose old one was refused, goes on at once, and what the old one still does is
-- over. What waits for its source goes on waiting.
WITH kept AS (
    UPDATE connections
    SET expires_at = $3
    WHERE user_id = $1 AND sign_in_id = $2 AND removed_at IS NULL
        AND health NOT IN ('needs_sign_in', 'needs_credentials', 'consent_expired')
        AND problem ->> 'code' IS DISTINCT FROM 'credential_refused'
), taken_up AS (
    UPDATE connections
    SET expires_at = $3, health = 'waiting', problem = NULL, retry_at = NULL, wished_until = NULL
    WHERE user_id = $1 AND sign_in_id = $2 AND removed_at IS NULL
        AND (
            health IN ('needs_sign_in', 'needs_credentials', 'consent_expired')
            OR problem ->> 'code' = 'credential_refused'
        )
    RETURNING id
)
UPDATE sync_runs
SET ended_at = $4, outcome = 'halted'
WHERE connection_id IN (SELECT id FROM taken_up) AND ended_at IS NULL
