SELECT to_jsonb(kept)::text AS line
FROM (
    SELECT id, agent_id, tool, sector, decision, deny_reason, args, result_count, outcome, request_id, created_at
    FROM audit_log
    WHERE (user_id = $1 OR user_id IS NULL) AND $2::text IS NULL
    ORDER BY id
) AS kept
ORDER BY kept.id
