-- The accounts that their sources have, but for those of the sample.
SELECT account.id, account.connection_id, origin.provider, origin.provider = 'push' AS is_pushed,
    CASE WHEN origin.provider = 'push' THEN origin.id::text ELSE sign_in.identity END AS identity,
    account.institution_domain, account.institution_name, account."name", account.mask, account.iban, account.currency,
    account.balance_as_of, account.hidden_by
FROM finance.accounts AS account
JOIN connections AS origin ON origin.id = account.connection_id AND NOT origin.is_sample
LEFT JOIN sign_ins AS sign_in ON sign_in.id = origin.sign_in_id
WHERE account.user_id = $1 AND account.removed_at IS NULL
ORDER BY account.id
