SELECT DISTINCT coalesce(series_source_id, source_id) AS name
FROM calendar.series
WHERE user_id = $1 AND connection_id = $2 AND source_id = ANY($3::text[]) AND deleted_at IS NULL
