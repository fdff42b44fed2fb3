-- The number of rows of each sector table, and of each value of its fields of few values (`is_kind` in the catalogue), so that
-- `get_schema` and the Console need not count (src/query/compile/counts.rs).
--
-- As with the sums of months (0006_sums.sql), triggers keep them in the transaction of a change, whoever made it, tombstones are
-- left out, and an export has none of it. Unlike those, a statement only appends what it adds and takes away: nobody ever waits
-- for another, so two transactions can neither hold each other up nor form a circle. What is read is the sum of a group's rows.

CREATE TABLE sums.counts (
    user_id uuid NOT NULL,
    target text COLLATE "C" NOT NULL,
    -- Empty for the number of all rows of the table; then `value` is empty too.
    field text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    rows bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
CREATE INDEX ON sums.counts (user_id, target, field, value);

-- The most rows that a group may have before they are replaced by their sum.
CREATE FUNCTION evidence.count_parts_max() RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT 16';

-- Selects, from rows of a table, what they come to: each row once, and once more for each of `fields` that has a value. A longer
-- value is free text and not counted.
CREATE FUNCTION evidence.counted_in(rows_of text, sign integer, fields text[]) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format('SELECT t.user_id, e.field, e.value, %s AS rows
        FROM %s AS t CROSS JOIN LATERAL (VALUES (text '''', text '''')%s) AS e(field, value)
        WHERE t.deleted_at IS NULL AND (e.field = '''' OR e.value <> '''' AND length(e.value) <= 40)',
        sign, rows_of, coalesce(string_agg(format(', (%L, t.%I)', field, field), ''), ''))
    FROM unnest(fields) AS field
$$;

-- Replaces the rows of a group by their sum, or by none. Rows that another transaction is replacing are left to it.
CREATE FUNCTION evidence.merge_counts(of_user uuid, of_target text, of_field text, of_value text) RETURNS void
LANGUAGE sql AS $$
    WITH held AS MATERIALIZED (
        SELECT ctid AS place FROM sums.counts
        WHERE user_id = of_user AND target = of_target AND field = of_field AND value = of_value
        FOR UPDATE SKIP LOCKED
    ), removed AS (
        DELETE FROM sums.counts WHERE ctid = ANY (ARRAY(SELECT place FROM held)) RETURNING rows
    )
    INSERT INTO sums.counts (user_id, target, field, value, rows)
    SELECT of_user, of_target, of_field, of_value, sum(rows) FROM removed HAVING sum(rows) <> 0
$$;

-- Counts touched rows. Its arguments are the table's fields of few values. A group that shrinks is merged at once, so that no
-- value outlives the last row that had it; one that only grows, when it has too many rows.
CREATE FUNCTION evidence.count_rows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    of_target CONSTANT text := TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME;
    touched text;
    added record;
BEGIN
    SELECT string_agg(
        evidence.counted_in(image, CASE image WHEN 'new_rows' THEN 1 ELSE -1 END, coalesce(TG_ARGV, '{}')::text[]),
        ' UNION ALL '
    )
    INTO touched
    FROM unnest(evidence.images(TG_OP)) AS image;
    FOR added IN EXECUTE format(
        'INSERT INTO sums.counts (user_id, target, field, value, rows)
        SELECT user_id, %L, field, value, sum(rows) FROM (%s) AS touched GROUP BY user_id, field, value HAVING sum(rows) <> 0
        RETURNING user_id, field, value, rows',
        of_target, touched
    ) LOOP
        IF added.rows < 0 OR evidence.count_parts_max() < (
            SELECT count(*) FROM sums.counts
            WHERE user_id = added.user_id AND target = of_target AND field = added.field AND value = added.value
        ) THEN
            PERFORM evidence.merge_counts(added.user_id, of_target, added.field, added.value);
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;

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
            FOR EACH STATEMENT EXECUTE FUNCTION evidence.count_rows(%s)', counted.schema, counted.name, counted.fields);
        EXECUTE format('CREATE TRIGGER updated_rows_count AFTER UPDATE ON %I.%I
            REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
            FOR EACH STATEMENT EXECUTE FUNCTION evidence.count_rows(%s)', counted.schema, counted.name, counted.fields);
        EXECUTE format('CREATE TRIGGER deleted_rows_count AFTER DELETE ON %I.%I REFERENCING OLD TABLE AS old_rows
            FOR EACH STATEMENT EXECUTE FUNCTION evidence.count_rows(%s)', counted.schema, counted.name, counted.fields);
        EXECUTE format('INSERT INTO sums.counts (user_id, target, field, value, rows)
            SELECT user_id, %L, field, value, sum(rows) FROM (%s) AS stored GROUP BY user_id, field, value',
            counted.schema || '.' || counted.name,
            evidence.counted_in(format('%I.%I', counted.schema, counted.name), 1, string_to_array(counted.fields, ', ')));
    END LOOP;
END
$$;
