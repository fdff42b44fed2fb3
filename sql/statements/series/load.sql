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
    -- By OFFSET 0 each series is looked up by itself, by index.
    AND id = ANY(ARRAY(
        SELECT component.id
        FROM unnest($3::text[]) AS named(name)
        CROSS JOIN LATERAL (
            SELECT id FROM calendar.series WHERE connection_id = $2 AND source_id = named.name
            UNION ALL
            SELECT id FROM calendar.series WHERE connection_id = $2 AND series_source_id = named.name
            OFFSET 0
        ) AS component
    ))
ORDER BY source_id
