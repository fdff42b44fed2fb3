-- The number of rows of each sector table, and of each value of its fields of few values (`is_kind` in the catalogue), so that
-- `get_schema` and the Console need not count (src/query/compile/counts.rs).
--
-- As with the sums of months (0006_sums.sql), triggers keep them in the transaction of a change, whoever made it, tombstones are
-- left out, an export has none of it, and it is done in the same two steps: each statement notes what it adds and takes away, and
-- as the transaction commits its notes are added up, in one order of the groups. A transaction waits here for the commit of
-- another at the most, and never in a circle: a transaction that has changed months too adds up its counts first.

CREATE TABLE sums.counts (
    user_id uuid NOT NULL,
    target text COLLATE "C" NOT NULL,
    -- Empty for the number of all rows of the table; then `value` is empty too.
    field text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    rows bigint NOT NULL,
    PRIMARY KEY (user_id, target, field, value)
) WITH (fillfactor = 80);

-- What transactions under way have added to groups and taken away. Nobody sees the notes of another.
CREATE TABLE evidence.count_notes (
    transaction xid8 NOT NULL,
    is_first boolean NOT NULL,
    user_id uuid NOT NULL,
    target text COLLATE "C" NOT NULL,
    field text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    rows bigint NOT NULL
);
CREATE INDEX ON evidence.count_notes (transaction);

-- Selects, from rows of a table, what they come to: each row once, and once more for each of `fields` that has a value. A longer
-- value is free text and not counted.
CREATE FUNCTION evidence.counted_in(rows_of text, sign integer, fields text[]) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format('SELECT t.user_id, e.field, e.value, %s AS rows
        FROM %s AS t CROSS JOIN LATERAL (VALUES (text '''', text '''')%s) AS e(field, value)
        WHERE t.deleted_at IS NULL AND (e.field = '''' OR e.value <> '''' AND length(e.value) <= 40)',
        sign, rows_of, coalesce(string_agg(format(', (%L, t.%I)', field, field), ''), ''))
    FROM unnest(fields) AS field
$$;

-- Notes what touched rows come to. Its arguments are the table's fields of few values.
CREATE FUNCTION evidence.note_counts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    touched text;
BEGIN
    SELECT string_agg(
        evidence.counted_in(image, CASE image WHEN 'new_rows' THEN 1 ELSE -1 END, coalesce(TG_ARGV, '{}')::text[]),
        ' UNION ALL '
    )
    INTO touched
    FROM unnest(evidence.images(TG_OP)) AS image;
    EXECUTE format(
        'INSERT INTO evidence.count_notes (user_id, target, field, value, rows, transaction, is_first)
        SELECT user_id, %L, field, value, sum(rows), pg_current_xact_id(),
            row_number() OVER () = 1
                AND NOT EXISTS (SELECT FROM evidence.count_notes WHERE transaction = pg_current_xact_id())
        FROM (%s) AS touched
        GROUP BY user_id, field, value
        HAVING sum(rows) <> 0',
        TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME, touched
    );
    RETURN NULL;
END
$$;

-- Adds up what a transaction has noted. Whoever adds to a group that is emptied here waits for the commit, and makes it anew.
CREATE FUNCTION evidence.add_up_counts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    added record;
BEGIN
    FOR added IN WITH noted AS (
        DELETE FROM evidence.count_notes WHERE transaction = NEW.transaction RETURNING user_id, target, field, value, rows
    )
    INSERT INTO sums.counts AS kept (user_id, target, field, value, rows)
    SELECT user_id, target, field, value, sum(rows)
    FROM noted
    GROUP BY user_id, target, field, value
    HAVING sum(rows) <> 0
    ORDER BY user_id, target, field, value
    ON CONFLICT (user_id, target, field, value) DO UPDATE SET rows = kept.rows + excluded.rows
    RETURNING user_id, target, field, value, rows
    LOOP
        IF added.rows = 0 THEN
            DELETE FROM sums.counts
            WHERE user_id = added.user_id AND target = added.target AND field = added.field AND value = added.value;
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER first_note_adds_up AFTER INSERT ON evidence.count_notes DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.is_first) EXECUTE FUNCTION evidence.add_up_counts();

-- Triggers of one row run in the order of their names: this one before `first_note_adds_up`, which adds up the months.
CREATE CONSTRAINT TRIGGER counts_add_up_before_months AFTER INSERT ON evidence.month_notes DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.is_first) EXECUTE FUNCTION evidence.add_up_counts();

-- The triggers come before what is there already is counted: the lock that they take lets nobody write in between.
DO $$
DECLARE
    counted record;
BEGIN
    FOR counted IN SELECT * FROM (VALUES
        ('finance', 'transactions', 'status, currency, booked_on_from, category, payment_channel'),
        ('finance', 'accounts', 'type, subtype, currency, status'),
        ('finance', 'holdings', 'symbol, currency'),
        ('finance', 'balances', 'currency'),
        ('mail', 'messages', 'importance'),
        ('mail', 'mailboxes', 'role'),
        ('mail', 'attachments', ''),
        ('calendar', 'events', 'status, free_busy, my_response'),
        ('calendar', 'series', 'status, free_busy, privacy, my_response'),
        ('calendar', 'calendars', 'access_role'),
        ('contacts', 'people', 'kind'),
        ('contacts', 'groups', ''),
        ('health', 'samples', 'metric, unit'),
        ('health', 'days', ''),
        ('health', 'sleeps', 'score_state'),
        ('health', 'workouts', 'sport_name, score_state'),
        ('health', 'recoveries', 'score_state'),
        ('health', 'cycles', 'score_state'),
        ('health', 'devices', 'provider'),
        ('home', 'entities', 'domain, device_class, unit, category'),
        ('home', 'history', ''),
        ('home', 'areas', 'floor'),
        ('home', 'devices', '')
    ) AS listed(schema, name, fields) LOOP
        EXECUTE format('CREATE TRIGGER inserted_rows_count AFTER INSERT ON %I.%I REFERENCING NEW TABLE AS new_rows
            FOR EACH STATEMENT EXECUTE FUNCTION evidence.note_counts(%s)', counted.schema, counted.name, counted.fields);
        EXECUTE format('CREATE TRIGGER updated_rows_count AFTER UPDATE ON %I.%I
            REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
            FOR EACH STATEMENT EXECUTE FUNCTION evidence.note_counts(%s)', counted.schema, counted.name, counted.fields);
        EXECUTE format('CREATE TRIGGER deleted_rows_count AFTER DELETE ON %I.%I REFERENCING OLD TABLE AS old_rows
            FOR EACH STATEMENT EXECUTE FUNCTION evidence.note_counts(%s)', counted.schema, counted.name, counted.fields);
        EXECUTE format('INSERT INTO sums.counts (user_id, target, field, value, rows)
            SELECT user_id, %L, field, value, sum(rows) FROM (%s) AS stored GROUP BY user_id, field, value',
            counted.schema || '.' || counted.name,
            evidence.counted_in(format('%I.%I', counted.schema, counted.name), 1, string_to_array(counted.fields, ', ')));
    END LOOP;
END
$$;
