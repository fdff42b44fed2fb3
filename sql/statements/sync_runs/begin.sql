-- Begins a run of the connection $2. One that is open still was cut off: its pages are committed, and no more of them will be.
WITH cut AS (
    UPDATE sync_runs
    SET ended_at = $3, outcome = 'interrupted'
    WHERE connection_id = $2 AND ended_at IS NULL
)
INSERT INTO sync_runs (user_id, connection_id, started_at)
SELECT user_id, id, $3
FROM connections
WHERE user_id = $1 AND id = $2 AND removed_at IS NULL
RETURNING id
