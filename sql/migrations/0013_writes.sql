-- What every written row costs.

-- Whose a row is, asked once a statement. As foreign keys to `users` and `connections` it was asked for each row, which took a
-- third of the time of storing one. The rule stays: a sector's row has a person and a connection that are there, and neither goes
-- while rows have it. So do its locks: who writes a row holds both until the commit.

-- Refuses rows whose person or connection is not there.
CREATE FUNCTION evidence.require_owners() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    people uuid[];
    sources uuid[];
    present bigint;
BEGIN
    SELECT array_agg(DISTINCT user_id), array_agg(DISTINCT connection_id) INTO people, sources FROM new_rows;
    IF people IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM FROM users WHERE id = ANY(people) FOR KEY SHARE;
    GET DIAGNOSTICS present = ROW_COUNT;
    IF present < cardinality(people) THEN
        RAISE foreign_key_violation USING MESSAGE = format('a row of %I.%I has no user', TG_TABLE_SCHEMA, TG_TABLE_NAME);
    END IF;
    PERFORM FROM connections WHERE id = ANY(sources) FOR KEY SHARE;
    GET DIAGNOSTICS present = ROW_COUNT;
    IF present < cardinality(sources) THEN
        RAISE foreign_key_violation USING MESSAGE = format('a row of %I.%I has no connection', TG_TABLE_SCHEMA, TG_TABLE_NAME);
    END IF;
    RETURN NULL;
END
$$;

-- Refuses to let a person or a connection go that rows have; its argument is the column by which they have it. It sees the rows
-- of whoever held the lock before, since each statement of a transaction (READ COMMITTED) sees what is committed by then.
CREATE FUNCTION evidence.keep_owners() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    owned regclass;
    is_owner boolean;
BEGIN
    FOR owned IN SELECT DISTINCT tgrelid::regclass FROM pg_trigger WHERE tgfoid = 'evidence.require_owners'::regproc LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %I = $1)', owned, TG_ARGV[0]) INTO is_owner USING OLD.id;
        IF is_owner THEN
            RAISE foreign_key_violation USING MESSAGE = format('a row of %s still has it', owned);
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;

DO $$
DECLARE
    owned record;
    kept record;
BEGIN
    FOR kept IN SELECT * FROM (VALUES ('users', 'user_id'), ('connections', 'connection_id')) AS listed(owner, column_name) LOOP
        EXECUTE format('CREATE TRIGGER deleted_row_has_no_rows AFTER DELETE ON %I
            FOR EACH ROW EXECUTE FUNCTION evidence.keep_owners(%L)', kept.owner, kept.column_name);
        EXECUTE format('CREATE TRIGGER renamed_row_has_no_rows AFTER UPDATE OF id ON %I
            FOR EACH ROW WHEN (OLD.id <> NEW.id) EXECUTE FUNCTION evidence.keep_owners(%L)', kept.owner, kept.column_name);
    END LOOP;
    FOR owned IN
        SELECT format('%I.%I', nspname, relname) AS name, array_agg(format('DROP CONSTRAINT %I', conname)) AS drops
        FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE contype = 'f' AND confrelid IN ('users'::regclass, 'connections'::regclass)
            AND (nspname IN ('finance', 'mail', 'calendar', 'contacts', 'health', 'home')
                OR conrelid = 'evidence.days'::regclass)
        GROUP BY 1
    LOOP
        EXECUTE format('ALTER TABLE %s %s', owned.name, array_to_string(owned.drops, ', '));
        EXECUTE format('CREATE TRIGGER inserted_rows_have_owners AFTER INSERT ON %s REFERENCING NEW TABLE AS new_rows
            FOR EACH STATEMENT EXECUTE FUNCTION evidence.require_owners()', owned.name);
        EXECUTE format('CREATE TRIGGER updated_rows_have_owners AFTER UPDATE ON %s REFERENCING NEW TABLE AS new_rows
            FOR EACH STATEMENT EXECUTE FUNCTION evidence.require_owners()', owned.name);
    END LOOP;
END
$$;

-- As in 0011_counts.sql, but a statement that touched no row ends here: an upsert runs the triggers of an update too, mostly for none.
CREATE OR REPLACE FUNCTION evidence.note_counts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    is_touched boolean;
    touched text;
BEGIN
    IF TG_OP = 'DELETE' THEN
        is_touched := EXISTS (SELECT FROM old_rows);
    ELSE
        is_touched := EXISTS (SELECT FROM new_rows);
    END IF;
    IF NOT is_touched THEN
        RETURN NULL;
    END IF;
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
