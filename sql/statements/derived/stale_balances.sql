-- Takes the marks of balances to be made anew: of an account that is hidden, those of the account that is served in its place.
WITH taken AS (DELETE FROM evidence.stale_balances WHERE user_id = $1 RETURNING account_id, "day", moment)
SELECT taken.account_id, taken."day", taken.moment FROM taken
UNION
SELECT account.hidden_by, taken."day", taken.moment
FROM taken JOIN finance.accounts AS account ON account.id = taken.account_id
WHERE account.hidden_by IS NOT NULL
