SELECT to_jsonb(kept)::text AS line
FROM (
    SELECT moved.id, moved.source_id, moved.booked_on, moved.value_on, moved.transacted_at, moved.amount::text AS amount,
        moved.currency, moved.status, moved.description, moved.counterparty_name, moved.counterparty_account,
        moved.merchant_name, moved.category, moved.reference, moved.balance_after::text AS balance_after,
        coalesce(account.iban, account.source_id) AS account, account.name AS account_name
    FROM finance.transactions AS moved
    LEFT JOIN finance.accounts AS account ON account.id = moved.account_id AND account.deleted_at IS NULL
    WHERE moved.user_id = $1 AND moved.deleted_at IS NULL AND ($2::text IS NULL OR $2 = 'finance')
    ORDER BY moved.booked_on, moved.id
) AS kept
ORDER BY kept.booked_on, kept.id
