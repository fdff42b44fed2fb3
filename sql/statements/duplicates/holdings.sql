-- The holdings of the accounts $2, those of one day together.
SELECT id, own_account_id, "day", coalesce(isin, symbol, "name") AS security, merged_account_id, hidden_by
FROM finance.holdings
WHERE user_id = $1 AND removed_at IS NULL AND own_account_id = ANY($2::uuid[])
    AND (account_id = ANY($2::uuid[]) OR merged_account_id IS NOT NULL)
ORDER BY "day", id
