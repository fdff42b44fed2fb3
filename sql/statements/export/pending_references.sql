SELECT to_jsonb(kept)::text AS line
FROM (
    SELECT connection_id, parent_target, parent_source_id, child_target, child_id, field
    FROM pending_references
    WHERE user_id = $1 AND ($2::text IS NULL OR split_part(child_target, '.', 1) = $2)
    ORDER BY child_id, field COLLATE "C"
) AS kept
ORDER BY kept.child_id, kept.field COLLATE "C"
