-- The other connections of the same sign-in.
SELECT other.id
FROM connections AS own
JOIN connections AS other ON other.sign_in_id = own.sign_in_id AND other.id <> own.id
WHERE own.user_id = $1 AND own.id = $2 AND other.removed_at IS NULL
ORDER BY other.id
