-- The sign-in is to be completed, unless it has connections already.
UPDATE sign_ins
SET is_unfinished = NOT EXISTS (
    SELECT FROM connections WHERE sign_in_id = sign_ins.id AND removed_at IS NULL
)
WHERE user_id = $1 AND id = $2
