-- Takes the marks of balances to be made anew.
WITH taken AS (DELETE FROM evidence.stale_balances WHERE user_id = $1 RETURNING account_id, "day", moment)
SELECT DISTINCT account_id, "day", moment FROM taken
