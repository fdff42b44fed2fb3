-- How a connection fares after a round. A health that is not given stays, and so does the last success. A round whose run was ended
-- meanwhile, because its credential was revoked or another was entered, says nothing of the connection. No round begins before its source
-- wishes: a wish that lasts beyond $7, the round's end, was made meanwhile, towards another connection of the sign-in, and stands.
UPDATE connections
SET
    health = CASE WHEN run.is_open THEN coalesce($3, health) ELSE health END,
    problem = CASE WHEN run.is_open THEN $4 ELSE problem END,
    retry_at = CASE WHEN wished_until > $7 THEN greatest(wished_until, $5) ELSE $5 END,
    wished_until = CASE WHEN wished_until > $7 THEN greatest(wished_until, $8) ELSE $8 END,
    last_success_at = CASE WHEN run.is_open THEN coalesce($6, last_success_at) ELSE last_success_at END
FROM (SELECT EXISTS (SELECT FROM sync_runs WHERE connection_id = $2 AND ended_at IS NULL) AS is_open) AS run
WHERE user_id = $1 AND id = $2 AND removed_at IS NULL
