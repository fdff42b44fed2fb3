DELETE FROM sign_ins AS unused
WHERE unused.user_id = $1 AND unused.id = $2
    AND NOT EXISTS (SELECT FROM connections AS other WHERE other.sign_in_id = unused.id)
