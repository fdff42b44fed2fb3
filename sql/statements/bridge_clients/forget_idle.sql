DELETE FROM bridge_clients
WHERE user_id = $1 AND used_at <= $2
    AND NOT EXISTS (SELECT FROM bridge_sign_ins WHERE client_id = bridge_clients.id)
