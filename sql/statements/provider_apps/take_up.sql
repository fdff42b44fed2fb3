-- What the provider knows the service by is there again: connections that could not be opened without it go on at once.
UPDATE connections
SET health = 'waiting', problem = NULL, retry_at = NULL, wished_until = NULL
WHERE user_id = $1 AND provider = $2 AND removed_at IS NULL
    AND health = 'needs_credentials' AND problem ->> 'code' = 'credential_missing'
RETURNING id
