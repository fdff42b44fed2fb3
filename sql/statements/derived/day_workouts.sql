-- The workouts that began on the days $2.
SELECT wanted."day", workout.connection_id, workout.start_at, workout.end_at
FROM unnest($2::date[], $3::timestamptz[], $4::timestamptz[]) AS wanted("day", begins, ends)
JOIN health.workouts AS workout ON workout.user_id = $1 AND workout.deleted_at IS NULL
    AND workout.start_at >= wanted.begins - interval '36 hours' AND workout.start_at < wanted.ends + interval '36 hours'
    AND evidence.is_of_day(workout.start_at, workout.zone_offset, wanted."day", wanted.begins, wanted.ends)
WHERE workout.end_at >= workout.start_at
ORDER BY wanted."day", workout.connection_id, workout.start_at, workout.id
