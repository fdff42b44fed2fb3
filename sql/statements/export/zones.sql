SELECT jsonb_build_object('zone', named.zone, 'from', min(named.start_at))::text AS line
FROM (
    SELECT time_zone AS zone, start_at
    FROM calendar.series
    WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT substring(line FROM 'TZID=([^:;]+)'), start_at
    FROM calendar.series CROSS JOIN unnest(rrule) AS line
    WHERE user_id = $1 AND deleted_at IS NULL
) AS named
WHERE named.zone IS NOT NULL AND ($2::text IS NULL OR $2 = 'calendar')
GROUP BY named.zone
ORDER BY named.zone COLLATE "C"
