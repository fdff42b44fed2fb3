-- What is pulled would come back with the next tick; a push comes only when its device sends it.
UPDATE connections
SET paused_at = coalesce(paused_at, $3)
WHERE user_id = $1 AND id = ANY($2::uuid[]) AND provider <> 'push' AND removed_at IS NULL
