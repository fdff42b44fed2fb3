-- The sign-in of the account, made if it is not there yet; locked until the transaction ends.
INSERT INTO sign_ins (id, user_id, provider, identity, account, created_at)
VALUES ($2, $1, $3, $4, $5, $6)
ON CONFLICT (user_id, provider, identity) DO UPDATE SET account = excluded.account
RETURNING id
