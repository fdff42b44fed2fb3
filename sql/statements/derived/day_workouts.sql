-- The workouts that began on the days $2.
SELECT wanted."day", workout.connection_id, workout.start_at, workout.end_at
FROM unnest($2::date[], $3::timestamptz[], $4::timestamptz[]) AS wanted("day", begins, ends)
-- By OFFSET 0 each day is looked up by itself, by index.
CROSS JOIN LATERAL (
    SELECT id, connection_id, start_at, end_at, zone_offset, deleted_at
    FROM health.workouts
    WHERE user_id = $1 AND start_at >= wanted.begins - interval '36 hours' AND start_at < wanted.ends + interval '36 hours'
    OFFSET 0
) AS workout
WHERE workout.deleted_at IS NULL
    AND evidence.is_of_day(workout.start_at, workout.zone_offset, wanted."day", wanted.begins, wanted.ends)
    AND workout.end_at >= workout.start_at
ORDER BY wanted."day", workout.connection_id, workout.start_at, workout.id
