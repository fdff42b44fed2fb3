-- Who makes derived rows of a sector holds its row until the end of the transaction: one at a time. Answers their zone.
SELECT zone
FROM evidence.built
WHERE user_id = $1 AND sector = $2
FOR UPDATE
