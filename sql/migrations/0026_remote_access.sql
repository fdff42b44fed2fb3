-- Agents elsewhere: the clients that registered at the OAuth bridge, and what was signed in there with an agent's key.

-- A client that registered itself (RFC 7591). One that never got a token is forgotten after a day.
CREATE TABLE bridge_clients (
    id text PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    name text,
    redirect_uris text[] NOT NULL,
    registered_at timestamptz NOT NULL,
    used_at timestamptz
);
CREATE INDEX ON bridge_clients (registered_at) WHERE used_at IS NULL;

-- One sign-in of a client with an agent's key, and the tokens that stand for that key now. A key that is replaced, revoked or removed is
-- in no grant that opens any more, and so nothing here opens anything either.
CREATE TABLE bridge_sign_ins (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    client_id text NOT NULL,
    client_name text,
    key_hash bytea NOT NULL CHECK (octet_length(key_hash) = 32),
    created_at timestamptz NOT NULL,
    used_at timestamptz NOT NULL,
    access_hash bytea NOT NULL UNIQUE CHECK (octet_length(access_hash) = 32),
    access_expires_at timestamptz NOT NULL,
    refresh_hash bytea NOT NULL CHECK (octet_length(refresh_hash) = 32),
    -- The refresh token before the present one, and what the present pair was derived from it with: within a short window it is given
    -- again to who comes with the one before.
    spent_hash bytea CHECK (octet_length(spent_hash) = 32),
    rotation_seed bytea CHECK (octet_length(rotation_seed) = 32),
    rotated_at timestamptz
);
CREATE INDEX ON bridge_sign_ins (key_hash);
