SELECT value #>> '{}' AS value FROM settings WHERE user_id = $1 AND name = $2
