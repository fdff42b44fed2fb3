-- Those of the keys $3 in a scope that are stored.
SELECT key, version, holds, records
FROM source_items
WHERE connection_id = $1 AND scope = $2 AND key = ANY($3::text[])
