INSERT INTO provider_apps (user_id, provider, id, client_id, sealed)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (user_id, provider) DO UPDATE SET id = excluded.id, client_id = excluded.client_id, sealed = excluded.sealed
