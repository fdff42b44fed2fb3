-- Tokens whose account is not known yet: the id stands in place of both its names. What they are to renew may be gone, or be going.
INSERT INTO sign_ins (id, user_id, provider, identity, account, scopes, sealed, is_unfinished, created_at, renews)
VALUES ($2, $1, $3, $2::uuid::text, $2::uuid::text, $4, $5, true, $6, (
    SELECT renewed.id
    FROM sign_ins AS renewed
    WHERE renewed.user_id = $1 AND renewed.id = $7
    FOR KEY SHARE
))
