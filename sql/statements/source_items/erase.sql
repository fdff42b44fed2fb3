DELETE FROM source_items
WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
