SELECT
    pg_catalog.set_config('default_transaction_read_only', 'on', false),
    pg_catalog.set_config('statement_timeout', $1, false),
    pg_catalog.set_config('lock_timeout', $2, false)
