-- What was not read since its credential was entered is read at once, however fresh it is.
SELECT provider, interval_s, CASE WHEN health <> 'waiting' THEN last_success_at END AS last_success_at, retry_at,
    wished_until, health
FROM connections
WHERE user_id = $1 AND id = $2 AND removed_at IS NULL
