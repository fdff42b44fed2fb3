INSERT INTO pending_references
    (user_id, connection_id, parent_target, parent_source_id, child_target, child_id, field)
SELECT $1, $2, waiting.parent_target, waiting.parent_source_id, $3, waiting.child_id, waiting.field
FROM jsonb_to_recordset($4)
    AS waiting(parent_target text, parent_source_id text, child_id uuid, field text)
ON CONFLICT (child_id, field) DO UPDATE
SET parent_target = excluded.parent_target, parent_source_id = excluded.parent_source_id
