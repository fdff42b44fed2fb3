SELECT
    activity.pid,
    coalesce(activity.application_name, '') AS application_name,
    coalesce(host(activity.client_addr), 'this machine') AS client,
    coalesce(activity.usename::text, '') AS role
FROM pg_catalog.pg_locks AS locks
JOIN pg_catalog.pg_stat_activity AS activity USING (pid)
WHERE locks.locktype = 'advisory'
    AND locks.granted
    AND locks.classid = 21368
    AND locks.objid = 1
    AND locks.objsubid = 2
    AND locks.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
