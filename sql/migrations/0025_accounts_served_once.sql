-- An account that two sources have is served once (src/derived/duplicates.rs). So what a source tells of a row and what is served of it
-- stand in columns of their own: the service writes the first as they come and the second as accounts are found to be one, and the
-- columns that every reader knows, `deleted_at` and `account_id`, are made of both. A hidden row keeps its content, so that it is there
-- again when the row that is served in its place goes.

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['accounts', 'transactions', 'holdings'] LOOP
        EXECUTE format('ALTER TABLE finance.%I RENAME COLUMN deleted_at TO removed_at', name);
        EXECUTE format('ALTER TABLE finance.%I
            -- The row of another connection that is served in its place, and since when.
            ADD COLUMN hidden_by uuid,
            ADD COLUMN hidden_at timestamptz,
            ADD CHECK ((hidden_by IS NULL) = (hidden_at IS NULL))', name);
        EXECUTE format('ALTER TABLE finance.%I
            ADD COLUMN deleted_at timestamptz GENERATED ALWAYS AS (coalesce(removed_at, hidden_at)) STORED', name);
        EXECUTE format('CREATE INDEX ON finance.%I (hidden_by) WHERE hidden_by IS NOT NULL', name);
    END LOOP;
    FOREACH name IN ARRAY ARRAY['transactions', 'holdings'] LOOP
        EXECUTE format('ALTER TABLE finance.%I RENAME COLUMN account_id TO own_account_id', name);
        -- The account that is served in its account's place.
        EXECUTE format('ALTER TABLE finance.%I ADD COLUMN merged_account_id uuid', name);
        EXECUTE format('ALTER TABLE finance.%I
            ADD COLUMN account_id uuid GENERATED ALWAYS AS (coalesce(merged_account_id, own_account_id)) STORED', name);
        EXECUTE format('CREATE INDEX ON finance.%I (own_account_id) WHERE merged_account_id IS NOT NULL', name);
    END LOOP;
END
$$;

-- They were of the column that is now named `own_account_id`.
DROP INDEX finance.transactions_account_id_booked_on_id_idx;
DROP INDEX finance.holdings_account_id_as_of_id_idx;
CREATE INDEX ON finance.transactions (account_id, booked_on DESC NULLS LAST, id DESC);
CREATE INDEX ON finance.holdings (account_id, "day" DESC NULLS LAST, id DESC);

-- Two accounts of two connections that are one, or may be: asked, and answered by the rules or by the operator. What an answer was
-- given of outlives its rows: a key of each account finds it again where its source brings it under another id.
CREATE TABLE evidence.account_pairs (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    state text NOT NULL CHECK (state IN ('open', 'same', 'separate')),
    answered_by text CHECK (answered_by IN ('automatic', 'operator')),
    -- What the accounts have in common.
    reason text NOT NULL,
    asked_at timestamptz NOT NULL DEFAULT now(),
    answered_at timestamptz,
    first_account uuid NOT NULL,
    first_connection uuid NOT NULL REFERENCES connections,
    first_key text NOT NULL,
    second_account uuid NOT NULL,
    second_connection uuid NOT NULL REFERENCES connections,
    second_key text NOT NULL,
    CHECK (first_connection <> second_connection),
    CHECK ((state = 'open') = (answered_by IS NULL)),
    CHECK ((answered_by IS NULL) = (answered_at IS NULL))
);
CREATE INDEX ON evidence.account_pairs (user_id, state);

-- Keeps what an account says of its balance, forgets it when its source removes it, and marks the whole account where its being
-- there or its currency has changed. One that is hidden is still heard: the account in whose place it stood, and the one that stands
-- in its place, are marked.
CREATE OR REPLACE FUNCTION evidence.keep_statements() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO evidence.balances AS kept (user_id, account_id, stated_at, "current", available, currency)
    SELECT user_id, id, balance_as_of, balance_current, balance_available, currency
    FROM new_rows
    WHERE removed_at IS NULL AND balance_as_of IS NOT NULL AND coalesce(balance_current, balance_available) IS NOT NULL
    ON CONFLICT (account_id, stated_at) DO UPDATE
    SET "current" = excluded."current", available = excluded.available, currency = excluded.currency
    WHERE (kept."current", kept.available, kept.currency)
        IS DISTINCT FROM (excluded."current", excluded.available, excluded.currency);
    IF TG_OP = 'UPDATE' THEN
        DELETE FROM evidence.balances AS kept USING new_rows WHERE kept.account_id = new_rows.id AND new_rows.removed_at IS NOT NULL;
        INSERT INTO evidence.stale_balances (user_id, account_id)
        SELECT new_rows.user_id, stale.account_id
        FROM new_rows JOIN old_rows USING (id)
        CROSS JOIN LATERAL (VALUES (id), (new_rows.hidden_by), (old_rows.hidden_by)) AS stale(account_id)
        WHERE stale.account_id IS NOT NULL
            AND ((new_rows.deleted_at IS NULL) <> (old_rows.deleted_at IS NULL)
                OR new_rows.hidden_by IS DISTINCT FROM old_rows.hidden_by
                OR new_rows.currency IS DISTINCT FROM old_rows.currency);
    END IF;
    RETURN NULL;
END
$$;
