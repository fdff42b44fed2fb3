-- For one transaction that reads the record: every statement ends by itself, is planned for the values it is given, and walks
-- the index, whatever the statistics say; a plan that reads or sorts the whole table first answers nothing in time.
SELECT
    pg_catalog.set_config('statement_timeout', $1, true),
    pg_catalog.set_config('plan_cache_mode', 'force_custom_plan', true),
    pg_catalog.set_config('enable_seqscan', 'off', true),
    pg_catalog.set_config('enable_bitmapscan', 'off', true),
    pg_catalog.set_config('enable_sort', 'off', true),
    pg_catalog.set_config('jit', 'off', true)
