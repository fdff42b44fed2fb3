-- Requests that were sent to sources which allow a number a day: counted here, so that a restart does not forget them.
CREATE TABLE source_requests (
    sign_in_id uuid NOT NULL REFERENCES sign_ins ON DELETE CASCADE,
    -- What the source counts by: an account, or nothing where it counts all together.
    subject text NOT NULL,
    at timestamptz NOT NULL
);
CREATE INDEX ON source_requests (sign_in_id, subject, at);
