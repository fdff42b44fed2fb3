-- A sum of a month holds amounts of both signs, and apart what those below and above zero come to: questions that tell no signs
-- apart read half as many sums, and a push adds to half as many. Notes (0006_sums.sql) stay as they are, one for each sign, and
-- bring what is there into the new table as this commits.

LOCK TABLE sums.transactions_by_month IN ACCESS EXCLUSIVE MODE;

INSERT INTO evidence.month_notes (
    user_id, connection_id, account_id, status, currency, category, booked_on, sign, rows, amount, transaction, is_first
)
SELECT user_id, connection_id, account_id, status, currency, category, booked_on, sign, rows, amount,
    pg_current_xact_id(), row_number() OVER () = 1
FROM sums.transactions_by_month;

DROP TABLE sums.transactions_by_month;

-- Rows of one group are alike in whatever has a column before `rows`; `rows` is their number and `amount` their sum. Those of them
-- whose amount is below zero and above are in `rows_below`, `amount_below` and `rows_above`; the rest is zero. A group is known by
-- a digest of its columns: texts may be longer than an index takes.
CREATE TABLE sums.transactions_by_month (
    user_id uuid NOT NULL,
    account_id uuid,
    booked_on date NOT NULL,
    category text,
    currency text,
    connection_id uuid NOT NULL,
    status text,
    rows integer NOT NULL,
    amount numeric NOT NULL,
    rows_below integer NOT NULL,
    amount_below numeric NOT NULL,
    rows_above integer NOT NULL,
    digest bytea PRIMARY KEY
) WITH (fillfactor = 80);
CREATE INDEX ON sums.transactions_by_month (user_id, booked_on);
CREATE INDEX ON sums.transactions_by_month (user_id, account_id, booked_on);

-- The same with each sign of the amount apart, for conditions on it. A condition on `sign` leaves out whole branches.
CREATE VIEW sums.transactions_by_month_and_sign AS
    SELECT user_id, account_id, booked_on, category, currency, connection_id, status, numeric '-1' AS sign,
        rows_below AS rows, amount_below AS amount
    FROM sums.transactions_by_month
    WHERE rows_below <> 0
    UNION ALL
    SELECT user_id, account_id, booked_on, category, currency, connection_id, status, numeric '0',
        rows - rows_below - rows_above, numeric '0.0000'
    FROM sums.transactions_by_month
    WHERE rows - rows_below - rows_above <> 0
    UNION ALL
    SELECT user_id, account_id, booked_on, category, currency, connection_id, status, numeric '1',
        rows_above, amount - amount_below
    FROM sums.transactions_by_month
    WHERE rows_above <> 0;

-- Adds up what a transaction has noted. Whoever adds to a group that is emptied here waits for the commit, and makes it anew.
CREATE OR REPLACE FUNCTION evidence.add_up_months() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    emptied bytea[];
BEGIN
    WITH noted AS (
        DELETE FROM evidence.month_notes
        WHERE transaction = NEW.transaction
        RETURNING user_id, connection_id, account_id, status, currency, category, booked_on, sign, rows, amount
    ), changes AS (
        SELECT user_id, connection_id, account_id, status, currency, category, booked_on,
            sum(rows) AS rows, sum(amount) AS amount,
            coalesce(sum(rows) FILTER (WHERE sign < 0), 0) AS rows_below,
            coalesce(sum(amount) FILTER (WHERE sign < 0), 0) AS amount_below,
            coalesce(sum(rows) FILTER (WHERE sign > 0), 0) AS rows_above
        FROM noted
        GROUP BY 1, 2, 3, 4, 5, 6, 7
    ), added AS (
        INSERT INTO sums.transactions_by_month AS kept (
            digest, user_id, connection_id, account_id, status, currency, category, booked_on,
            rows, amount, rows_below, amount_below, rows_above
        )
        SELECT
            sha256(convert_to(
                jsonb_build_array(user_id, connection_id, account_id, status, currency, category, booked_on)::text, 'UTF8'
            )),
            user_id, connection_id, account_id, status, currency, category, booked_on,
            rows, amount, rows_below, amount_below, rows_above
        FROM changes
        WHERE rows <> 0 OR amount <> 0 OR rows_below <> 0 OR amount_below <> 0 OR rows_above <> 0
        ORDER BY user_id, connection_id, account_id, booked_on, category, status, currency
        ON CONFLICT (digest) DO UPDATE SET
            rows = kept.rows + excluded.rows,
            amount = kept.amount + excluded.amount,
            rows_below = kept.rows_below + excluded.rows_below,
            amount_below = kept.amount_below + excluded.amount_below,
            rows_above = kept.rows_above + excluded.rows_above
        RETURNING digest, rows
    )
    SELECT array_agg(digest) INTO emptied FROM added WHERE rows = 0;
    DELETE FROM sums.transactions_by_month WHERE digest = ANY(emptied);
    RETURN NULL;
END
$$;
