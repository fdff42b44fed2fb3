-- Of the scope $3 nothing is kept any more that lies before $4.
UPDATE sync_cursors
SET window_start = $4
WHERE user_id = $1 AND connection_id = $2 AND scope = 'source:' || $3::text AND window_start < $4
