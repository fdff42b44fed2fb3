-- Ends the open run of a connection, and forgets all but the newest ones.
WITH ended AS (
    UPDATE sync_runs
    SET ended_at = $2, outcome = $3, message = $4
    WHERE connection_id = $1 AND ended_at IS NULL
)
DELETE FROM sync_runs
WHERE connection_id = $1 AND id <= (
    SELECT id FROM sync_runs WHERE connection_id = $1 ORDER BY id DESC OFFSET $5 LIMIT 1
)
