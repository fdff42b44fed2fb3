-- Whether any accounts are one, and whether the transaction has changed an account.
SELECT
    EXISTS (SELECT FROM evidence.account_pairs WHERE user_id = $1 AND state = 'same') AS are_any_one,
    EXISTS (SELECT FROM finance.accounts WHERE user_id = $1 AND changed_xid = pg_current_xact_id()) AS has_changed,
    now() AS now
