-- What was kept without connections has them from now on.
UPDATE sign_ins
SET is_unfinished = false
WHERE user_id = $1 AND id = $2 AND is_unfinished
