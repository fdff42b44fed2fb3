-- How a connection fares after a round. A health that is not given stays, and so does the last success. A round whose run was ended
-- meanwhile, because its credential was revoked or another was entered, says nothing of the connection. No round begins in a rest: one
-- that lasts beyond $7, its end, was wished for by the source meanwhile, towards another connection of the sign-in.
UPDATE connections
SET
    health = CASE WHEN run.is_open THEN coalesce($3, health) ELSE health END,
    problem = CASE WHEN run.is_open THEN $4 ELSE problem END,
    retry_at = CASE WHEN retry_at > $7 THEN greatest(retry_at, $5) ELSE $5 END,
    last_success_at = CASE WHEN run.is_open THEN coalesce($6, last_success_at) ELSE last_success_at END
FROM (SELECT EXISTS (SELECT FROM sync_runs WHERE connection_id = $2 AND ended_at IS NULL) AS is_open) AS run
WHERE user_id = $1 AND id = $2 AND removed_at IS NULL
