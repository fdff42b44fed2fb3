-- The sign-in of a connection that has just been removed, locked; whether another connection uses it is read after the lock.
SELECT id
FROM sign_ins
WHERE user_id = $1 AND id = $2
FOR UPDATE
