SELECT asked.agent_id, max(counted.last_at) AS last_at
FROM unnest($1::text[]) AS asked (agent_id)
JOIN audit_hourly AS counted
    ON counted.agent_id = asked.agent_id
    AND counted.hour = (
        SELECT max(hour)
        FROM audit_hourly
        WHERE agent_id = asked.agent_id
    )
GROUP BY asked.agent_id
