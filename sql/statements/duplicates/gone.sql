-- Accounts that were removed by their source while another was served in their place, and that other one.
SELECT id, hidden_by
FROM finance.accounts
WHERE user_id = $1 AND removed_at IS NOT NULL AND hidden_by IS NOT NULL
