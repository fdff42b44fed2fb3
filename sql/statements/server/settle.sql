SELECT
    pg_catalog.set_config('lock_timeout', $1, false),
    pg_catalog.set_config('idle_in_transaction_session_timeout', $2, false)
