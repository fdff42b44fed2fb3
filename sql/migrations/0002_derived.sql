-- Days and balances, which the service makes of other rows (src/derived.rs).
--
-- `evidence` is a schema that agents cannot read. It holds what derived rows are made of and no sector table keeps: the
-- days that devices pushed, and the balances that banks stated, one a moment. It also holds what has yet to be made anew:
-- triggers mark it in the transaction of the change, so that no way of writing rows can forget to.

CREATE SCHEMA evidence;

-- What devices say of a day. Agents read health.days, which has one row a day.
ALTER TABLE health.days SET SCHEMA evidence;
CREATE TABLE health.days (
    LIKE evidence.days INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
    PRIMARY KEY (id),
    UNIQUE (connection_id, source_id),
    FOREIGN KEY (user_id) REFERENCES users,
    FOREIGN KEY (connection_id) REFERENCES connections
);
CREATE INDEX ON health.days (user_id, changed_xid);
CREATE INDEX ON health.days (user_id, "day" DESC NULLS LAST, id DESC);

-- An account row holds its latest balance only; its history is kept here.
CREATE TABLE evidence.balances (
    user_id uuid NOT NULL REFERENCES users,
    account_id uuid NOT NULL REFERENCES finance.accounts ON DELETE CASCADE,
    stated_at timestamptz NOT NULL,
    "current" numeric(19,4),
    available numeric(19,4),
    currency text,
    PRIMARY KEY (account_id, stated_at)
);

-- The zone that a sector's derived rows were made in. Whoever makes them holds the row: one at a time.
CREATE TABLE evidence.built (
    user_id uuid NOT NULL REFERENCES users,
    sector text NOT NULL,
    zone text NOT NULL,
    PRIMARY KEY (user_id, sector)
);

-- Days to be made anew: by name where the row bears an offset of its own, else the quarter of an hour that was touched.
CREATE TABLE evidence.stale_days (
    user_id uuid NOT NULL,
    "day" date,
    moment timestamptz,
    CHECK (("day" IS NULL) <> (moment IS NULL))
);

-- Balances to be made anew: of a day, of the day that a moment lies in, or of the whole account.
CREATE TABLE evidence.stale_balances (
    user_id uuid NOT NULL,
    account_id uuid NOT NULL,
    "day" date,
    moment timestamptz
);

-- The offset that a device wrote, such as -05:00; null where it wrote none that exists on earth.
CREATE FUNCTION evidence.offset_of(written text) RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN written ~ '^[+-](0[0-9]|1[0-8]):?[0-5][0-9]$' THEN
            (left(written, 1) || '1')::integer
            * make_interval(hours => substr(written, 2, 2)::integer, mins => right(written, 2)::integer)
        WHEN upper(written) IN ('Z', 'UTC', 'GMT') THEN interval '0'
    END
$$;

-- Whether an instant lies on a local day: by its own offset, else between the day's ends in the person's zone.
CREATE FUNCTION evidence.is_of_day(
    moment timestamptz, written text, wanted date, begins timestamptz, ends timestamptz
) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN evidence.offset_of(written) IS NULL THEN moment >= begins AND moment < ends
        ELSE (moment AT TIME ZONE 'UTC' + evidence.offset_of(written))::date = wanted
    END
$$;

-- Days are made of instants of these centuries; what a device dates elsewhere is kept, and counts for no day.
CREATE FUNCTION evidence.is_dated(moment timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT moment >= timestamptz '1900-01-01 00:00+00' AND moment < timestamptz '2200-01-01 00:00+00'
$$;

-- The names of the transition tables that a statement's trigger has.
CREATE FUNCTION evidence.images(operation text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE operation
        WHEN 'INSERT' THEN ARRAY['new_rows']
        WHEN 'DELETE' THEN ARRAY['old_rows']
        ELSE ARRAY['old_rows', 'new_rows']
    END
$$;

-- Marks the days of touched rows. Its argument selects from them: user_id, moment, and the offset as written.
CREATE FUNCTION evidence.mark_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    image text;
BEGIN
    FOREACH image IN ARRAY evidence.images(TG_OP) LOOP
        EXECUTE format(
            'INSERT INTO evidence.stale_days (user_id, "day", moment)
            SELECT DISTINCT user_id,
                CASE WHEN own IS NOT NULL THEN (moment AT TIME ZONE ''UTC'' + own)::date END,
                CASE WHEN own IS NULL
                    THEN date_bin(''15 minutes'', moment, timestamptz ''2000-01-01 00:00+00'') END
            FROM (SELECT user_id, moment, evidence.offset_of(written) AS own FROM (%s) AS touched(user_id, moment, written)) AS dated
            WHERE evidence.is_dated(moment)',
            format(TG_ARGV[0], image)
        );
    END LOOP;
    RETURN NULL;
END
$$;

-- Marks the days that devices pushed.
CREATE FUNCTION evidence.mark_pushed_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    image text;
BEGIN
    FOREACH image IN ARRAY evidence.images(TG_OP) LOOP
        EXECUTE format(
            'INSERT INTO evidence.stale_days (user_id, "day")
            SELECT DISTINCT user_id, "day" FROM %I WHERE "day" IS NOT NULL', image
        );
    END LOOP;
    RETURN NULL;
END
$$;

-- Marks the balances of the accounts and days on which something was booked.
CREATE FUNCTION evidence.mark_bookings() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    image text;
BEGIN
    FOREACH image IN ARRAY evidence.images(TG_OP) LOOP
        EXECUTE format(
            'INSERT INTO evidence.stale_balances (user_id, account_id, "day")
            SELECT DISTINCT user_id, account_id, booked_on FROM %I
            WHERE account_id IS NOT NULL AND booked_on IS NOT NULL', image
        );
    END LOOP;
    RETURN NULL;
END
$$;

-- Marks the balances of the moments that something was stated of.
CREATE FUNCTION evidence.mark_statements() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    image text;
BEGIN
    FOREACH image IN ARRAY evidence.images(TG_OP) LOOP
        EXECUTE format(
            'INSERT INTO evidence.stale_balances (user_id, account_id, moment)
            SELECT DISTINCT user_id, account_id, stated_at FROM %I WHERE evidence.is_dated(stated_at)', image
        );
    END LOOP;
    RETURN NULL;
END
$$;

-- Keeps what an account says of its balance, forgets it with the account, and marks the whole account where its being
-- there or its currency has changed.
CREATE FUNCTION evidence.keep_statements() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO evidence.balances AS kept (user_id, account_id, stated_at, "current", available, currency)
    SELECT user_id, id, balance_as_of, balance_current, balance_available, currency
    FROM new_rows
    WHERE deleted_at IS NULL AND balance_as_of IS NOT NULL AND coalesce(balance_current, balance_available) IS NOT NULL
    ON CONFLICT (account_id, stated_at) DO UPDATE
    SET "current" = excluded."current", available = excluded.available, currency = excluded.currency
    WHERE (kept."current", kept.available, kept.currency)
        IS DISTINCT FROM (excluded."current", excluded.available, excluded.currency);
    IF TG_OP = 'UPDATE' THEN
        DELETE FROM evidence.balances AS kept USING new_rows WHERE kept.account_id = new_rows.id AND new_rows.deleted_at IS NOT NULL;
        INSERT INTO evidence.stale_balances (user_id, account_id)
        SELECT new_rows.user_id, new_rows.id
        FROM new_rows JOIN old_rows USING (id)
        WHERE (new_rows.deleted_at IS NULL) <> (old_rows.deleted_at IS NULL)
            OR new_rows.currency IS DISTINCT FROM old_rows.currency;
    END IF;
    RETURN NULL;
END
$$;

DO $$
DECLARE
    marked record;
BEGIN
    FOR marked IN
        VALUES
            ('health.samples', 'mark_days', 'SELECT user_id, start_at, zone_offset FROM %I'),
            ('health.workouts', 'mark_days', 'SELECT user_id, start_at, zone_offset FROM %I'),
            ('health.cycles', 'mark_days', 'SELECT user_id, start_at + interval ''12 hours'', zone_offset FROM %I'),
            ('health.sleeps', 'mark_days',
                'SELECT user_id, end_at, zone_offset FROM %1$I
                UNION ALL SELECT recovery.user_id, recovery.measured_at, NULL
                FROM health.recoveries AS recovery JOIN %1$I AS slept ON recovery.sleep_source_id = slept.id'),
            ('health.recoveries', 'mark_days',
                'SELECT user_id, measured_at, NULL FROM %1$I
                UNION ALL SELECT slept.user_id, slept.end_at, slept.zone_offset
                FROM health.sleeps AS slept JOIN %1$I AS recovery ON recovery.sleep_source_id = slept.id'),
            ('evidence.days', 'mark_pushed_days', ''),
            ('evidence.balances', 'mark_statements', ''),
            ('finance.transactions', 'mark_bookings', '')
    LOOP
        EXECUTE format('CREATE TRIGGER inserted_rows_mark AFTER INSERT ON %s REFERENCING NEW TABLE AS new_rows
            FOR EACH STATEMENT EXECUTE FUNCTION evidence.%I(%L)', marked.column1, marked.column2, marked.column3);
        EXECUTE format('CREATE TRIGGER updated_rows_mark AFTER UPDATE ON %s
            REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
            FOR EACH STATEMENT EXECUTE FUNCTION evidence.%I(%L)', marked.column1, marked.column2, marked.column3);
        EXECUTE format('CREATE TRIGGER deleted_rows_mark AFTER DELETE ON %s REFERENCING OLD TABLE AS old_rows
            FOR EACH STATEMENT EXECUTE FUNCTION evidence.%I(%L)', marked.column1, marked.column2, marked.column3);
    END LOOP;
END
$$;

CREATE TRIGGER inserted_rows_state AFTER INSERT ON finance.accounts REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION evidence.keep_statements();
CREATE TRIGGER updated_rows_state AFTER UPDATE ON finance.accounts
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION evidence.keep_statements();

-- What the accounts say already.
INSERT INTO evidence.balances (user_id, account_id, stated_at, "current", available, currency)
SELECT user_id, id, balance_as_of, balance_current, balance_available, currency
FROM finance.accounts
WHERE deleted_at IS NULL AND balance_as_of IS NOT NULL AND coalesce(balance_current, balance_available) IS NOT NULL;
