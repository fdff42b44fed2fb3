SELECT id, agent_id, tool, sector, decision, deny_reason, args, result_count, outcome, request_id, created_at
FROM audit_log
WHERE id = $2 AND (user_id = $1 OR user_id IS NULL)
