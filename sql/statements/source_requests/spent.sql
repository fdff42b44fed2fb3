-- The newest request but $3 - 1 of the last day, after $4: when it is a day old, another one may be sent.
SELECT at
FROM source_requests
WHERE sign_in_id = $1 AND subject = $2 AND at > $4
ORDER BY at DESC
OFFSET $3::bigint - 1
LIMIT 1
