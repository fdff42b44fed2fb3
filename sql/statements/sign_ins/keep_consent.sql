-- The consent is what the person gave last. Whose it is is written anew, since some providers know it by what they were allowed to
-- tell; its identity not where another sign-in has that one.
UPDATE sign_ins AS kept
SET sealed = $3, scopes = $4, expires_at = NULL, revoked_at = NULL, problem = NULL, account = $6,
    identity = CASE
        WHEN EXISTS (
            SELECT FROM sign_ins AS other
            WHERE other.user_id = $1 AND other.provider = kept.provider AND other.identity = $5 AND other.id <> $2
        ) THEN kept.identity
        ELSE $5
    END
WHERE kept.user_id = $1 AND kept.id = $2
