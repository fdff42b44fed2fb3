-- How many transactions the accounts $2 have, and how many fields.
SELECT account.id,
    (SELECT count(*) FROM finance.transactions AS moved
        WHERE (moved.account_id = account.id OR (moved.merged_account_id IS NOT NULL AND moved.own_account_id = account.id))
            AND moved.own_account_id = account.id AND moved.removed_at IS NULL) AS transactions,
    num_nonnulls(
        account.official_name, account.institution_name, account.institution_id, account.institution_domain, account."type",
        account.subtype, account.mask, account.iban, account.balance_current, account.balance_available, account.balance_limit,
        account.balance_as_of
    ) AS filled
FROM finance.accounts AS account
WHERE account.user_id = $1 AND account.id = ANY($2::uuid[])
