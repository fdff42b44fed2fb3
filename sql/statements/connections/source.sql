-- What a round of a connection needs to know, unless it is removed.
SELECT user_id, sector, provider, sign_in_id, window_days, config, problem, paused_at IS NOT NULL AS is_paused
FROM connections
WHERE user_id = $1 AND id = $2 AND removed_at IS NULL
