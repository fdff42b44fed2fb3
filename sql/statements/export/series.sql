SELECT to_jsonb(kept)::text AS line
FROM (
    SELECT event.id, event.source_id, event.uid, event.recurrence_id, event.series_source_id, event.title,
        event.description, event.location, event.start_at, event.end_at, event.start_date, event.end_date,
        event.is_all_day, event.time_zone, event.status, event.free_busy, event.privacy, event.rrule, event.organizer,
        event.attendees, event.conference_url, event.reminders, event.categories, event.sequence,
        event.extra ->> 'url' AS url, event.updated_at, event.synced_at, master.is_all_day AS of_days,
        master.time_zone AS of_zone, event.connection_id
    FROM calendar.series AS event
    LEFT JOIN calendar.series AS master ON master.connection_id = event.connection_id
        AND master.source_id = event.series_source_id AND master.deleted_at IS NULL
    WHERE event.user_id = $1 AND event.deleted_at IS NULL AND ($2::text IS NULL OR $2 = 'calendar')
    ORDER BY event.connection_id, coalesce(event.series_source_id, event.source_id) COLLATE "C",
        event.recurrence_id COLLATE "C" NULLS FIRST, event.id
) AS kept
ORDER BY kept.connection_id, coalesce(kept.series_source_id, kept.source_id) COLLATE "C",
    kept.recurrence_id COLLATE "C" NULLS FIRST, kept.id
