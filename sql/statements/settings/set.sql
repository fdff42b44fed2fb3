INSERT INTO settings (user_id, name, value)
VALUES ($1, $2, 'true')
ON CONFLICT (user_id, name) DO UPDATE SET value = excluded.value
