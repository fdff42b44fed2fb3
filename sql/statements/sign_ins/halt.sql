UPDATE connections
SET health = 'needs_sign_in', problem = $3
WHERE user_id = $1 AND sign_in_id = $2 AND removed_at IS NULL
