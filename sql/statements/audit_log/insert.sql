-- One flush: the rows, their counts by the hour, and the journal's position, all or nothing. Where the position does not stand at $2,
-- nothing is done, and the answer is 0.
WITH advanced AS (
    UPDATE audit_position SET seq = $3
    WHERE journal_uuid = $1 AND seq = $2
    RETURNING seq
),
batch AS (
    SELECT user_id, agent_id, tool, sector, decision, deny_reason, args, result_count, outcome, request_id, place
    FROM unnest(
        $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[],
        $9::text[], $10::text[], $11::integer[], $12::text[], $13::text[]
    ) WITH ORDINALITY AS sent (
        user_id, agent_id, tool, sector, decision, deny_reason, args, result_count, outcome, request_id, place
    )
),
fresh AS (
    INSERT INTO audit_log (
        user_id, agent_id, tool, sector, decision, deny_reason, args, result_count, outcome, request_id
    )
    SELECT user_id, agent_id, tool, sector, decision, deny_reason, args::jsonb, result_count, outcome, request_id
    FROM batch
    CROSS JOIN advanced
    ORDER BY place
    RETURNING user_id, agent_id, tool, sector, decision, outcome, created_at
),
counted AS (
    INSERT INTO audit_hourly (hour, user_id, agent_id, tool, sector, decision, outcome, n, last_at)
    SELECT date_trunc('hour', created_at, 'UTC'), user_id, agent_id, tool, sector, decision, outcome, count(*), max(created_at)
    FROM fresh
    GROUP BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT (hour, user_id, agent_id, tool, sector, decision, outcome) DO UPDATE SET
        n = audit_hourly.n + excluded.n,
        last_at = greatest(audit_hourly.last_at, excluded.last_at)
)
SELECT count(*) AS advanced FROM advanced
