DELETE FROM sync_cursors WHERE user_id = $1 AND connection_id = $2 AND scope = ANY($3)
