-- The indexes by time hold the rows that are there, without tombstones: every question in the order of time leaves those out, and
-- the first and last time of a table are found in one step however many rows were deleted at either end
-- (src/query/compile/coverage.rs).
DO $$
DECLARE
    listed record;
BEGIN
    FOR listed IN SELECT * FROM (VALUES
        ('finance', 'transactions', 'booked_on'),
        ('finance', 'accounts', 'balance_as_of'),
        ('finance', 'holdings', 'day'),
        ('finance', 'balances', 'day'),
        ('mail', 'messages', 'received_at'),
        ('calendar', 'events', 'start_at'),
        ('calendar', 'series', 'start_at'),
        ('health', 'samples', 'start_at'),
        ('health', 'days', 'day'),
        ('health', 'sleeps', 'start_at'),
        ('health', 'workouts', 'start_at'),
        ('health', 'recoveries', 'measured_at'),
        ('health', 'cycles', 'start_at'),
        ('home', 'entities', 'last_changed'),
        ('home', 'history', 'changed_at')
    ) AS tables(schema, name, time) LOOP
        -- A column that was renamed is in the index's name as it was called before.
        EXECUTE format('DROP INDEX %I.%I', listed.schema, format('%s_user_id_%s_id_idx', listed.name,
            CASE WHEN listed.schema = 'finance' AND listed.time = 'day' THEN 'as_of' ELSE listed.time END));
        EXECUTE format('CREATE INDEX ON %I.%I (user_id, %I DESC NULLS LAST, id DESC) WHERE deleted_at IS NULL',
            listed.schema, listed.name, listed.time);
    END LOOP;
END
$$;
