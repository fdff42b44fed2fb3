DELETE FROM settings WHERE user_id = $1 AND name = $2
