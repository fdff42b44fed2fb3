UPDATE source_items
SET seen_at = greatest(seen_at, $4)
WHERE connection_id = $1 AND scope = $2 AND key = ANY($3::text[])
