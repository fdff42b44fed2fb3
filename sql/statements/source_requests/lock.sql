-- One request of a sign-in is counted at a time. Those older than a day say nothing any more.
WITH locked AS (
    SELECT id FROM sign_ins WHERE user_id = $1 AND id = $2 FOR NO KEY UPDATE
)
DELETE FROM source_requests
WHERE sign_in_id IN (SELECT id FROM locked) AND at <= $3
