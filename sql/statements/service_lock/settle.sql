-- The server must notice within half a minute that this process's machine is gone, and must not end an idle holder.
SELECT
    pg_catalog.set_config('tcp_keepalives_idle', '10', false),
    pg_catalog.set_config('tcp_keepalives_interval', '5', false),
    pg_catalog.set_config('tcp_keepalives_count', '3', false),
    pg_catalog.set_config('idle_session_timeout', '0', false)
