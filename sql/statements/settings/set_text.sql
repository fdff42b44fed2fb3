INSERT INTO settings (user_id, name, value)
VALUES ($1, $2, to_jsonb($3::text))
ON CONFLICT (user_id, name) DO UPDATE SET value = excluded.value
