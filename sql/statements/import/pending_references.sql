INSERT INTO pending_references (
    user_id, connection_id, parent_target, parent_source_id, child_target, child_id, field
)
SELECT $1, connection_id, parent_target, parent_source_id, child_target, child_id, field
FROM jsonb_populate_recordset(NULL::pending_references, $2::text::jsonb)
