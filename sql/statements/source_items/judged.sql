-- How many items of a scope a pass judges, with what lies in those that are containers; and how many of them are in the keys $4.
SELECT
    count(*) + coalesce(sum(held.items), 0)::bigint AS judged,
    count(*) FILTER (WHERE item.key = ANY($4::text[]))
        + coalesce(sum(held.items) FILTER (WHERE item.key = ANY($4::text[])), 0)::bigint AS gone
FROM source_items AS item
LEFT JOIN LATERAL (
    SELECT count(*) AS items
    FROM source_items AS inner_item
    WHERE inner_item.connection_id = $1 AND inner_item.scope = item.holds
) AS held ON item.holds IS NOT NULL
WHERE item.connection_id = $1 AND item.scope = $2 AND ($3::timestamptz IS NULL OR item.at IS NULL OR item.at >= $3)
