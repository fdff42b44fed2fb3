-- Each of the keys $3 is looked up by itself. A plan that was made for an empty table would compare every item of the scope with every
-- key, and is kept.
SELECT stored.key, stored.version
FROM unnest($3::text[]) AS asked(key)
CROSS JOIN LATERAL (
    SELECT item.key, item.version
    FROM source_items AS item
    WHERE item.connection_id = $1 AND item.scope = $2 AND item.key = asked.key
    LIMIT 1
) AS stored
