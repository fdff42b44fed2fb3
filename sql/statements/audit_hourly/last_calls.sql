-- When the user's agents, or nobody's of the same name, last called: the latest of the latest hour of either.
SELECT asked.agent_id, max(latest.last_at) AS last_at
FROM unnest($2::text[]) AS asked (agent_id)
CROSS JOIN LATERAL (
    SELECT own.last_at
    FROM audit_hourly AS own
    WHERE own.user_id = $1 AND own.agent_id = asked.agent_id AND own.hour = (
        SELECT max(hour)
        FROM audit_hourly
        WHERE user_id = $1 AND agent_id = asked.agent_id
    )
    UNION ALL
    SELECT nobodys.last_at
    FROM audit_hourly AS nobodys
    WHERE nobodys.user_id IS NULL AND nobodys.agent_id = asked.agent_id AND nobodys.hour = (
        SELECT max(hour)
        FROM audit_hourly
        WHERE user_id IS NULL AND agent_id = asked.agent_id
    )
) AS latest
GROUP BY asked.agent_id
