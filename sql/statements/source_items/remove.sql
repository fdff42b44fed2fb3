DELETE FROM source_items
WHERE connection_id = $1 AND scope = $2 AND key = ANY($3::text[])
