INSERT INTO connections (user_id, id, sign_in_id, provider, label, sector, target_table, health, interval_s, window_days,
    expires_at, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, 'waiting', $8, $9, $10, $11)
