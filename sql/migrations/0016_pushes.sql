-- The last pushes of each connection, for the person to look at (docs/pushing.md#connections). The audit log has a row of each too, but
-- names the connection in its arguments only: to find a few there would mean to read all of it, and an index there would cost
-- every call. src/ingest/store/history.rs keeps the newest of each connection.
CREATE TABLE pushes (
    id bigint GENERATED ALWAYS AS IDENTITY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    at timestamptz NOT NULL DEFAULT now(),
    inserted bigint NOT NULL,
    updated bigint NOT NULL,
    unchanged bigint NOT NULL,
    deleted bigint NOT NULL,
    rejected bigint NOT NULL,
    -- The length of the body as it was sent, where a body was.
    bytes bigint,
    -- Why nothing was stored; null when the push was stored.
    refusal jsonb,
    PRIMARY KEY (connection_id, id)
);
