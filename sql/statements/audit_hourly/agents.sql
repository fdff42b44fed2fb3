-- Each name once, from one to the next along the index, however many hours there are.
WITH RECURSIVE named AS (
    (
        SELECT agent_id
        FROM audit_hourly
        WHERE agent_id IS NOT NULL
        ORDER BY agent_id
        LIMIT 1
    )
    UNION ALL
    SELECT (
        SELECT further.agent_id
        FROM audit_hourly AS further
        WHERE further.agent_id > named.agent_id
        ORDER BY further.agent_id
        LIMIT 1
    )
    FROM named
    WHERE named.agent_id IS NOT NULL
)
SELECT agent_id AS name
FROM named
WHERE agent_id IS NOT NULL
LIMIT $1
