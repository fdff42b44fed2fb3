-- The source of $2 wants nobody of its sign-in to ask before $3. What fared well until now has the same problem $4; what waits for a person
-- goes on doing so.
UPDATE connections
SET retry_at = greatest(retry_at, $3),
    wished_until = greatest(wished_until, $3),
    health = CASE WHEN health IN ('ok', 'waiting') THEN 'backing_off' ELSE health END,
    problem = CASE WHEN health IN ('ok', 'waiting') THEN $4 ELSE problem END
WHERE user_id = $1 AND id <> $2 AND removed_at IS NULL
    AND sign_in_id = (SELECT own.sign_in_id FROM connections AS own WHERE own.id = $2)
