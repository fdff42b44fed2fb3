-- The audit log of a month, up to now: the calls of fifty agents, every tenth row a push, and each of them counted by the hour.
WITH added AS (
    INSERT INTO audit_log (
        user_id, agent_id, tool, sector, decision, deny_reason, args, result_count, outcome, request_id, created_at
    )
    SELECT
        CASE WHEN n % 10 > 0 THEN (SELECT id FROM users LIMIT 1) END,
        CASE WHEN n % 10 > 0 THEN 'agent-' || lpad((n / 10 % 50)::text, 2, '0') END,
        CASE
            WHEN n % 10 = 0 THEN 'ingest'
            ELSE (ARRAY['query', 'query', 'query', 'get_record', 'describe_context', 'get_schema', 'fetch_live'])[1 + n % 7]
        END,
        (ARRAY['finance', 'mail', 'calendar', 'contacts', 'health', 'home'])[1 + n % 6],
        CASE WHEN n % 50 = 1 THEN 'deny' ELSE 'allow' END,
        CASE WHEN n % 50 = 1 THEN 'access denied: home' END,
        jsonb_build_object(
            'target', 'mail.messages', 'limit', 20, 'cursor', NULL, 'search', 'garden',
            'where', jsonb_build_object('received_at', jsonb_build_object('gte', 'today-' || 1 + n % 90 || 'd'))
        ),
        n % 21,
        CASE WHEN n % 50 = 1 THEN NULL WHEN n % 40 = 3 THEN 'error' ELSE 'ok' END,
        n::text,
        now() - ({rows} - n) * interval '30 days' / {rows}
    FROM generate_series(1, {rows}) AS n
    RETURNING user_id, agent_id, tool, sector, decision, outcome, created_at
)
INSERT INTO audit_hourly (hour, user_id, agent_id, tool, sector, decision, outcome, n, last_at)
SELECT date_trunc('hour', created_at, 'UTC'), user_id, agent_id, tool, sector, decision, outcome, count(*), max(created_at)
FROM added
GROUP BY 1, 2, 3, 4, 5, 6, 7
ON CONFLICT (hour, user_id, agent_id, tool, sector, decision, outcome) DO UPDATE SET
    n = audit_hourly.n + excluded.n,
    last_at = greatest(audit_hourly.last_at, excluded.last_at)
