-- Each name once, of the user's calls and of nobody's, from one to the next along the index, however many hours there are. The walk
-- begins before every name, since none is empty. What orders nobody's names has the user in it, since the planner does not see that a
-- column that IS NULL is constant.
WITH RECURSIVE named AS (
    SELECT ''::text AS name
    UNION ALL
    SELECT least(
        (
            SELECT own.tool
            FROM audit_hourly AS own
            WHERE own.user_id = $1 AND own.tool > named.name
            ORDER BY own.tool
            LIMIT 1
        ),
        (
            SELECT nobodys.tool
            FROM audit_hourly AS nobodys
            WHERE nobodys.user_id IS NULL AND nobodys.tool > named.name
            ORDER BY nobodys.user_id, nobodys.tool
            LIMIT 1
        )
    )
    FROM named
    WHERE named.name IS NOT NULL
)
SELECT name
FROM named
WHERE name <> ''
LIMIT $2
