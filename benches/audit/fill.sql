-- Rows {first} to {last} of a record of years, the same in each run: flushes of twenty rows, and every other stretch of 50,000
-- in flushes of 5,000, each with one stamp. A third of the rows have no user; two in a million are of an agent seen nowhere else.
WITH added AS (
    INSERT INTO audit_log (
        user_id, agent_id, tool, sector, decision, deny_reason, args, result_count, outcome, request_id, created_at
    )
    SELECT
        CASE WHEN n % 3 > 0 THEN (SELECT id FROM users LIMIT 1) END,
        CASE WHEN n % 500000 = 77 THEN 'rare' WHEN n % 3 > 0 THEN 'agent-' || n % 20 END,
        CASE
            WHEN n % 3 = 0 THEN 'ingest'
            ELSE (ARRAY['query', 'query', 'query', 'get_record', 'describe_context', 'get_schema', 'fetch_live'])[1 + n % 7]
        END,
        (ARRAY['finance', 'mail', 'calendar', 'contacts', 'health', 'home'])[1 + n % 6],
        CASE WHEN n % 50 = 1 THEN 'deny' ELSE 'allow' END,
        CASE WHEN n % 50 = 1 THEN 'access denied: mail' END,
        jsonb_build_object(
            'target', 'mail.messages', 'limit', 50, 'cursor', NULL, 'search', 'word' || n % 1000,
            'where', jsonb_build_object('sent_at', jsonb_build_object('gte', 'today-' || n % 90 || 'd'))
        ) || CASE WHEN n % 100 = 0 THEN jsonb_build_object('note', repeat(md5(n::text), 90)) ELSE '{}' END,
        n % 51,
        CASE WHEN n % 50 = 1 THEN NULL WHEN n % 40 = 3 THEN 'error' ELSE 'ok' END,
        n::text,
        timestamptz '2020-01-01 00:00:00Z' + interval '5 minutes'
            * CASE WHEN n / 50000 % 2 = 0 THEN n / 20 ELSE n / 5000 * 250 END
    FROM generate_series({first}::bigint, {last}::bigint) AS n
    RETURNING user_id, agent_id, tool, sector, decision, outcome, created_at
)
INSERT INTO audit_hourly (hour, user_id, agent_id, tool, sector, decision, outcome, n, last_at)
SELECT date_trunc('hour', created_at, 'UTC'), user_id, agent_id, tool, sector, decision, outcome, count(*), max(created_at)
FROM added
GROUP BY 1, 2, 3, 4, 5, 6, 7
ON CONFLICT (hour, user_id, agent_id, tool, sector, decision, outcome) DO UPDATE SET
    n = audit_hourly.n + excluded.n,
    last_at = greatest(audit_hourly.last_at, excluded.last_at)
