-- The cycles of the days $2, the latest last. A cycle begins when the person falls asleep; the day it is of is that on which
-- they wake, which is the one twelve hours later, whether they sleep by night or by day.
SELECT wanted."day", cycle.connection_id, cycle.strain
FROM unnest($2::date[], $3::timestamptz[], $4::timestamptz[]) AS wanted("day", begins, ends)
-- By OFFSET 0 each day is looked up by itself, by index.
CROSS JOIN LATERAL (
    SELECT id, connection_id, start_at, zone_offset, strain, deleted_at
    FROM health.cycles
    WHERE user_id = $1 AND start_at >= wanted.begins - interval '48 hours' AND start_at < wanted.ends + interval '24 hours'
    OFFSET 0
) AS cycle
WHERE cycle.deleted_at IS NULL
    AND evidence.is_of_day(
        cycle.start_at + interval '12 hours', cycle.zone_offset, wanted."day", wanted.begins, wanted.ends
    )
ORDER BY wanted."day", cycle.start_at, cycle.id
