SELECT name FROM agents WHERE user_id = $1 ORDER BY name
