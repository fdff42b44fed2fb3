-- What finance.transactions come to by month, so that questions for whole months need not read every row
-- (src/query/compile/source.rs).
--
-- `sums` is a schema that agents' role reads and that no agent can name. What is in it is a function of the rows that are
-- there, tombstones left out, and so no part of an export. Triggers keep it so in the transaction of a change, whoever made
-- it, in two steps: each statement notes what it adds and takes away, and as the transaction commits its notes are added
-- up, in one order of the groups. So nobody waits for a group longer than a commit takes, and never in a circle.

CREATE SCHEMA sums;

-- Rows of one group are alike in whatever has a column here; `rows` is their number and `amount` their sum. They have one
-- sign, so that their sum is below, at or above zero as each of them is. A group is known by a digest of its columns: texts
-- may be longer than an index takes. What questions read most stands first, where it is found the fastest.
CREATE TABLE sums.transactions_by_month (
    user_id uuid NOT NULL,
    connection_id uuid NOT NULL,
    booked_on date NOT NULL,
    rows integer NOT NULL,
    account_id uuid,
    category text,
    amount numeric NOT NULL,
    currency text,
    status text,
    sign numeric NOT NULL,
    digest bytea PRIMARY KEY
) WITH (fillfactor = 80);
CREATE INDEX ON sums.transactions_by_month (user_id, booked_on);
CREATE INDEX ON sums.transactions_by_month (account_id, booked_on);

-- What transactions under way have added to groups and taken away. Nobody sees the notes of another.
CREATE TABLE evidence.month_notes (
    transaction xid8 NOT NULL,
    is_first boolean NOT NULL,
    user_id uuid NOT NULL,
    connection_id uuid NOT NULL,
    account_id uuid,
    status text,
    currency text,
    category text,
    booked_on date NOT NULL,
    sign numeric NOT NULL,
    rows integer NOT NULL,
    amount numeric NOT NULL
);
CREATE INDEX ON evidence.month_notes (transaction);

-- The first day of the month; a date without end is its own.
CREATE FUNCTION evidence.month_of(day date) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN isfinite(day) THEN day - (extract(day FROM day)::integer - 1) ELSE day END
$$;

-- Notes what touched rows come to. What comes to nothing, such as a change of another field, is not noted.
CREATE FUNCTION evidence.note_months() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    touched text;
BEGIN
    SELECT string_agg(
        format(
            'SELECT user_id, connection_id, account_id, status, currency, category, evidence.month_of(booked_on), sign(amount),
                %1$s, %1$s * amount
            FROM %2$I
            WHERE deleted_at IS NULL',
            CASE image WHEN 'new_rows' THEN 1 ELSE -1 END, image
        ),
        ' UNION ALL '
    )
    INTO touched
    FROM unnest(evidence.images(TG_OP)) AS image;
    EXECUTE format(
        'INSERT INTO evidence.month_notes (
            user_id, connection_id, account_id, status, currency, category, booked_on, sign, rows, amount, transaction, is_first
        )
        SELECT user_id, connection_id, account_id, status, currency, category, booked_on, sign, sum(rows), sum(amount),
            pg_current_xact_id(),
            row_number() OVER () = 1
                AND NOT EXISTS (SELECT FROM evidence.month_notes WHERE transaction = pg_current_xact_id())
        FROM (%s) AS touched(user_id, connection_id, account_id, status, currency, category, booked_on, sign, rows, amount)
        GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
        HAVING sum(rows) <> 0 OR sum(amount) <> 0',
        touched
    );
    RETURN NULL;
END
$$;

CREATE TRIGGER inserted_rows_note AFTER INSERT ON finance.transactions REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION evidence.note_months();
CREATE TRIGGER updated_rows_note AFTER UPDATE ON finance.transactions
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION evidence.note_months();
CREATE TRIGGER deleted_rows_note AFTER DELETE ON finance.transactions REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION evidence.note_months();

-- Adds up what a transaction has noted. Whoever adds to a group that is emptied here waits for the commit, and makes it anew.
CREATE FUNCTION evidence.add_up_months() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    emptied bytea[];
BEGIN
    WITH noted AS (
        DELETE FROM evidence.month_notes
        WHERE transaction = NEW.transaction
        RETURNING user_id, connection_id, account_id, status, currency, category, booked_on, sign, rows, amount
    ), changes AS (
        SELECT user_id, connection_id, account_id, status, currency, category, booked_on, sign,
            sum(rows) AS rows, sum(amount) AS amount
        FROM noted
        GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
        HAVING sum(rows) <> 0 OR sum(amount) <> 0
    ), added AS (
        INSERT INTO sums.transactions_by_month AS kept (
            digest, user_id, connection_id, account_id, status, currency, category, booked_on, sign, rows, amount
        )
        SELECT
            sha256(convert_to(
                jsonb_build_array(user_id, connection_id, account_id, status, currency, category, booked_on, sign)::text, 'UTF8'
            )),
            user_id, connection_id, account_id, status, currency, category, booked_on, sign, rows, amount
        FROM changes
        ORDER BY user_id, connection_id, account_id, booked_on, category, status, currency, sign
        ON CONFLICT (digest) DO UPDATE SET rows = kept.rows + excluded.rows, amount = kept.amount + excluded.amount
        RETURNING digest, rows
    )
    SELECT array_agg(digest) INTO emptied FROM added WHERE rows = 0;
    DELETE FROM sums.transactions_by_month WHERE digest = ANY(emptied);
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER first_note_adds_up AFTER INSERT ON evidence.month_notes DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.is_first) EXECUTE FUNCTION evidence.add_up_months();

-- What is there already; added up as this commits.
INSERT INTO evidence.month_notes (
    user_id, connection_id, account_id, status, currency, category, booked_on, sign, rows, amount, transaction, is_first
)
SELECT user_id, connection_id, account_id, status, currency, category, evidence.month_of(booked_on), sign(amount),
    count(*), sum(amount), pg_current_xact_id(), row_number() OVER () = 1
FROM finance.transactions
WHERE deleted_at IS NULL
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
