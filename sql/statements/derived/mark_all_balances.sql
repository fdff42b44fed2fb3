-- Marks every account.
INSERT INTO evidence.stale_balances (user_id, account_id)
SELECT user_id, id FROM finance.accounts WHERE user_id = $1
