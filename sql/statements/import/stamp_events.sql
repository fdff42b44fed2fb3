-- Occurrences bear the stamp of what they were made of; exports of version 1 have none for them.
UPDATE calendar.events AS event
SET updated_at = coalesce(exception.updated_at, series.updated_at)
FROM calendar.events AS made
LEFT JOIN calendar.series AS series ON series.id = made.series_id AND series.deleted_at IS NULL
LEFT JOIN calendar.series AS exception ON exception.id = made.override_id AND exception.deleted_at IS NULL
WHERE event.id = made.id AND event.user_id = $1 AND event.deleted_at IS NULL
    AND coalesce(exception.updated_at, series.updated_at) IS NOT NULL
