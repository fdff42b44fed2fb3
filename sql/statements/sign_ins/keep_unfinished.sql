-- Tokens whose account is not known yet: the id stands in its place.
INSERT INTO sign_ins (id, user_id, provider, account, scopes, sealed, is_unfinished, created_at)
VALUES ($2, $1, $3, $2::uuid::text, $4, $5, true, $6)
