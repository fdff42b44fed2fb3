-- Connections of sectors that the consent does not cover any more wait for a person, and what is read of them is over.
WITH halted AS (
    UPDATE connections
    SET health = 'needs_sign_in', problem = $3
    WHERE user_id = $1 AND sign_in_id = $2 AND removed_at IS NULL AND NOT sector = ANY ($5::text[])
    RETURNING id
)
UPDATE sync_runs
SET ended_at = $4, outcome = 'halted'
WHERE connection_id IN (SELECT id FROM halted) AND ended_at IS NULL
