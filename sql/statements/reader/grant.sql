-- Sent as one message, and so one transaction: there is no moment in which a running reader loses what it keeps.
SELECT pg_catalog.pg_advisory_xact_lock(21368, 2);

REVOKE ALL ON ALL TABLES IN SCHEMA public, finance, mail, calendar, contacts, health, home, sums FROM sextant_reader;

GRANT USAGE ON SCHEMA public, finance, mail, calendar, contacts, health, home, sums TO sextant_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA finance, mail, calendar, contacts, health, home, sums TO sextant_reader;

GRANT SELECT (
    id, user_id, provider, label, sector, paused_at, removed_at, target_table, health, problem, window_days, retry_at,
    last_success_at, created_at, is_sample, interval_s, expires_at
) ON public.connections TO sextant_reader;

GRANT SELECT (user_id, connection_id, scope, window_start, window_end, is_begun) ON public.sync_cursors TO sextant_reader;

GRANT SELECT ON public.generations TO sextant_reader;
