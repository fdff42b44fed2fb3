SELECT cursor, doubted_at
FROM sync_cursors
WHERE user_id = $1 AND connection_id = $2 AND scope = 'source:' || $3::text
