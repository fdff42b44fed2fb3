SELECT
    id, source_id, series_source_id, recurrence_id, calendar_id,
    start_at, end_at, start_date, end_date, time_zone, status, rrule, updated_at,
    jsonb_build_object(
        'uid', uid, 'time_zone', time_zone, 'title', title, 'description', description, 'location', location,
        'free_busy', free_busy, 'organizer', organizer, 'attendees', attendees, 'my_response', my_response,
        'conference_url', conference_url, 'categories', to_jsonb(categories)
    ) AS details
FROM calendar.series
WHERE user_id = $1 AND connection_id = $2 AND deleted_at IS NULL
    AND (source_id = ANY($3::text[]) OR series_source_id = ANY($3::text[]))
ORDER BY source_id
