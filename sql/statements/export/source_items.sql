SELECT to_jsonb(kept)::text AS line
FROM (
    SELECT item.connection_id, item.scope, item.key, item.version, item.at, item.holds, item.records, item.seen_at
    FROM source_items AS item
    JOIN connections AS source ON source.id = item.connection_id
    WHERE item.user_id = $1 AND ($2::text IS NULL OR source.sector = $2)
) AS kept
ORDER BY kept.connection_id, kept.scope COLLATE "C", kept.key COLLATE "C"
