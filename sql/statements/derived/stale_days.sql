-- Takes the marks of days to be made anew.
WITH taken AS (DELETE FROM evidence.stale_days WHERE user_id = $1 RETURNING "day", moment)
SELECT DISTINCT "day", moment FROM taken
