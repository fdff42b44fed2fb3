SELECT connection_id, array_agg(substr(scope, length('series:') + 1)) AS series
FROM (
    SELECT connection_id, scope
    FROM sync_cursors
    WHERE user_id = $1 AND scope LIKE 'series:%' AND updated_at < $2
    ORDER BY updated_at
    LIMIT $3
) AS stale
GROUP BY connection_id
