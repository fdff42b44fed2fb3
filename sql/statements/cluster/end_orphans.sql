-- Each connection of an earlier service, told to end and awaited for $1 milliseconds. Whoever asks holds the data
-- directory, so that no other service can be at work on it; a person's own session bears another name and stays.
SELECT pid, pg_catalog.pg_terminate_backend(pid, $1) AS ended
FROM pg_catalog.pg_stat_activity
WHERE backend_type = 'client backend'
    AND pid <> pg_catalog.pg_backend_pid()
    AND pg_catalog.split_part(application_name, ' ', 1) = 'sextant'
