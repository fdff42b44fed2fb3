-- The consent is what the person gave last. The account is written anew, since some providers name it by what they were allowed to
-- tell; not where another sign-in has that name.
UPDATE sign_ins AS kept
SET sealed = $3, scopes = $4, expires_at = NULL, revoked_at = NULL, problem = NULL,
    account = CASE
        WHEN EXISTS (
            SELECT FROM sign_ins AS other
            WHERE other.user_id = $1 AND other.provider = kept.provider AND other.account = $5 AND other.id <> $2
        ) THEN kept.account
        ELSE $5
    END
WHERE kept.user_id = $1 AND kept.id = $2
