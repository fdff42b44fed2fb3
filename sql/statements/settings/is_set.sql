SELECT EXISTS (SELECT FROM settings WHERE user_id = $1 AND name = $2 AND value = 'true') AS is_set
