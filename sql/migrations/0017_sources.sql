-- Connections that are read from their sources: whose credential a sign-in is, and what a source has named.

-- No sign-in has been stored before this step. The account is whose it is in the provider's words: entered again, the same account
-- renews the sign-in.
ALTER TABLE sign_ins RENAME COLUMN label TO account;
ALTER TABLE sign_ins ADD COLUMN expires_at timestamptz;
ALTER TABLE sign_ins ADD COLUMN problem jsonb;
ALTER TABLE sign_ins ADD CONSTRAINT sign_ins_account UNIQUE (user_id, provider, account);

-- When the credential or consent behind a connection ends by itself, if its provider says so. Agents are told of it.
ALTER TABLE connections ADD COLUMN expires_at timestamptz;
CREATE INDEX ON connections (sign_in_id) WHERE sign_in_id IS NOT NULL;

-- The pass over everything in a scope that would have deleted more than may go without a second one; null when there is none.
ALTER TABLE sync_cursors ADD COLUMN doubted_at timestamptz;
-- Whether a scope has been begun: agents' role reads that, and not the position.
ALTER TABLE sync_cursors ADD COLUMN is_begun boolean NOT NULL GENERATED ALWAYS AS (cursor IS NOT NULL) STORED;

-- What could not be stored of a run's items; they are named in its message.
ALTER TABLE sync_runs ADD COLUMN skipped integer NOT NULL DEFAULT 0;
CREATE INDEX ON sync_runs (connection_id) WHERE ended_at IS NULL;

-- The items that a source has, each with the rows it consists of. Beside the rows and never in them: what a pass has seen changes
-- no row, so that `changed_since` tells nothing of it.
CREATE TABLE source_items (
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    -- The container it lies in, by its key; empty for containers themselves.
    scope text NOT NULL,
    key text NOT NULL,
    version text NOT NULL,
    -- The instant by which a window decides; null for what is always wanted.
    at timestamptz,
    -- The scope that ends with it, if it is a container.
    holds text,
    -- Its rows: [["calendar.series", "<source_id>"], …].
    records jsonb NOT NULL,
    -- When the source last said that it is there.
    seen_at timestamptz NOT NULL,
    PRIMARY KEY (connection_id, scope, key)
);
