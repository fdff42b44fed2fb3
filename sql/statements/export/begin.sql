SELECT
    pg_catalog.set_config('TimeZone', 'UTC', true),
    pg_catalog.set_config('IntervalStyle', 'iso_8601', true),
    pg_catalog.set_config('extra_float_digits', '1', true)
