DELETE FROM bridge_clients WHERE user_id = $1
