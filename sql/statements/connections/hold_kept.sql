-- As hold.sql does, also one that was removed and whose rows were kept.
SELECT id
FROM connections
WHERE user_id = $1 AND id = $2
FOR KEY SHARE
