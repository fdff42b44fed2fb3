SELECT agent_id, max(last_at) AS last_at
FROM audit_hourly
WHERE agent_id = ANY ($1)
GROUP BY agent_id
