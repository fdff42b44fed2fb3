-- The transactions of the accounts $2, those of one amount and currency together.
SELECT id, own_account_id, amount, currency, booked_on, value_on, transacted_at,
    coalesce(counterparty_name, description) AS text, status IS NOT DISTINCT FROM 'pending' AS is_pending,
    num_nonnulls(
        value_on, transacted_at, description, counterparty_name, counterparty_account, merchant_name, mcc, category,
        payment_channel, reference, balance_after, fx
    ) AS filled,
    merged_account_id, hidden_by
FROM finance.transactions
WHERE user_id = $1 AND removed_at IS NULL AND own_account_id = ANY($2::uuid[])
    AND (account_id = ANY($2::uuid[]) OR merged_account_id IS NOT NULL)
ORDER BY amount, currency, booked_on, id
