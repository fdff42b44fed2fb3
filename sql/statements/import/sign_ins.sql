-- Each without its secret. An account that is signed in here already stays as it is; answers the accounts of the others. Earlier exports
-- have no identity: there the account was it.
INSERT INTO sign_ins (user_id, id, provider, identity, account, scopes, created_at, expires_at, revoked_at, problem)
SELECT $1, id, provider, coalesce(identity, account), account, coalesce(scopes, '{}'), created_at, expires_at, revoked_at, problem
FROM jsonb_populate_recordset(NULL::sign_ins, $2::text::jsonb)
ON CONFLICT DO NOTHING
RETURNING account AS name
