-- Whether any agent was allowed a call at $2 or later.
SELECT EXISTS (
    SELECT FROM audit_hourly
    WHERE (user_id = $1 OR user_id IS NULL) AND agent_id <> 'operator' AND decision = 'allow'
        AND hour >= date_trunc('hour', $2::timestamptz, 'UTC') AND last_at >= $2
) AS is_called
