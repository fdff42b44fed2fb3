-- What a page changed, added to its run. None is found when the run is over, or was erased.
UPDATE sync_runs
SET upserted = upserted + $3, deleted = deleted + $4, skipped = skipped + $5
WHERE connection_id = $1 AND id = $2 AND ended_at IS NULL
