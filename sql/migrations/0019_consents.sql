-- Sign-ins at which a person consents in a browser, and what the operator has registered at their providers.

-- Tokens that were issued, and whose account is not known yet: committed before anything else is asked, since a code serves once.
ALTER TABLE sign_ins ADD COLUMN is_unfinished boolean NOT NULL DEFAULT false;

-- The client id of the operator's own app at a provider, and its secret, sealed. The id is what the sealed text is bound to.
CREATE TABLE provider_apps (
    id uuid NOT NULL UNIQUE,
    user_id uuid NOT NULL REFERENCES users,
    provider text NOT NULL,
    client_id text NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (user_id, provider)
);
