-- The accounts $2 as a person tells them apart.
SELECT account.id, origin.id AS connection_id, origin.label, origin.provider, account."name", account.institution_name,
    account.institution_domain, account.mask, account.iban, account.currency,
    trim_scale(account.balance_current)::text AS balance, account.balance_as_of,
    (SELECT count(*) FROM finance.transactions AS moved
        WHERE (moved.account_id = account.id OR (moved.merged_account_id IS NOT NULL AND moved.own_account_id = account.id))
            AND moved.own_account_id = account.id AND moved.removed_at IS NULL) AS transactions
FROM finance.accounts AS account
JOIN connections AS origin ON origin.id = account.connection_id
WHERE account.user_id = $1 AND account.id = ANY($2::uuid[])
