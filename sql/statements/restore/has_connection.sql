SELECT EXISTS (SELECT FROM connections WHERE user_id = $1 AND removed_at IS NULL) AS is_there
