INSERT INTO bridge_clients (user_id, id, name, redirect_uris, registered_at)
VALUES ($1, $2, $3, $4, $5)
