-- At the start: no run of an earlier process goes on.
UPDATE sync_runs
SET ended_at = $1, outcome = 'interrupted'
WHERE ended_at IS NULL
