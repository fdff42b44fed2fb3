-- Whether any agent was ever allowed a call, and when a key was last refused after $2. The user's calls, and nobody's, as refusals are.
-- The ranges of names pass over the operator's acts and the pushes of devices, which are no agent's calls, so that each stops at the
-- first count that it finds along the index.
SELECT
    EXISTS (
        SELECT FROM audit_hourly WHERE user_id = $1 AND agent_id < 'operator' AND decision = 'allow'
        UNION ALL
        SELECT FROM audit_hourly WHERE user_id = $1 AND agent_id > 'operator' AND decision = 'allow'
        UNION ALL
        SELECT FROM audit_hourly WHERE user_id IS NULL AND agent_id < 'operator' AND decision = 'allow'
        UNION ALL
        SELECT FROM audit_hourly WHERE user_id IS NULL AND agent_id > 'operator' AND decision = 'allow'
    ) AS is_made,
    (
        SELECT max(last_at)
        FROM audit_hourly
        WHERE (user_id = $1 OR user_id IS NULL) AND tool = 'initialize' AND decision = 'deny'
            AND hour >= date_trunc('hour', $2::timestamptz, 'UTC') AND last_at > $2
    ) AS refused_at
