WITH batch AS (
    SELECT id, user_id, agent_id, tool, sector, decision, deny_reason, args, result_count, outcome, request_id
    FROM unnest(
        $1::bigint[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[],
        $7::text[], $8::text[], $9::integer[], $10::text[], $11::text[]
    ) AS sent (
        id, user_id, agent_id, tool, sector, decision, deny_reason, args, result_count, outcome, request_id
    )
),
fresh AS (
    INSERT INTO audit_log (
        id, user_id, agent_id, tool, sector, decision, deny_reason, args, result_count, outcome, request_id
    )
    SELECT id, user_id, agent_id, tool, sector, decision, deny_reason, args::jsonb, result_count, outcome, request_id
    FROM batch
    ON CONFLICT (id) DO NOTHING
    RETURNING agent_id, tool, sector, decision, outcome, created_at
)
INSERT INTO audit_hourly (hour, agent_id, tool, sector, decision, outcome, n, last_at)
SELECT date_trunc('hour', created_at, 'UTC'), agent_id, tool, sector, decision, outcome, count(*), max(created_at)
FROM fresh
GROUP BY 1, 2, 3, 4, 5, 6
ON CONFLICT (hour, agent_id, tool, sector, decision, outcome) DO UPDATE SET
    n = audit_hourly.n + excluded.n,
    last_at = greatest(audit_hourly.last_at, excluded.last_at)
