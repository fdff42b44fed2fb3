-- Where each scope of a source stands.
SELECT substr(scope, length('source:') + 1) AS scope, cursor
FROM sync_cursors
WHERE user_id = $1 AND connection_id = $2 AND scope LIKE 'source:%' AND cursor IS NOT NULL
