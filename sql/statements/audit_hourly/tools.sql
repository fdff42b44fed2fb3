-- Each name once, from one to the next along the index, however many hours there are.
WITH RECURSIVE named AS (
    (
        SELECT tool
        FROM audit_hourly
        WHERE tool IS NOT NULL
        ORDER BY tool
        LIMIT 1
    )
    UNION ALL
    SELECT (
        SELECT further.tool
        FROM audit_hourly AS further
        WHERE further.tool > named.tool
        ORDER BY further.tool
        LIMIT 1
    )
    FROM named
    WHERE named.tool IS NOT NULL
)
SELECT tool AS name
FROM named
WHERE tool IS NOT NULL
LIMIT $1
