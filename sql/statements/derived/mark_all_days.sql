-- Marks every day there is and every day there may be: where rows bear no offset of their own, by their moment.
INSERT INTO evidence.stale_days (user_id, "day", moment)
SELECT DISTINCT $1::uuid,
    CASE WHEN own IS NOT NULL THEN (moment AT TIME ZONE 'UTC' + own)::date END,
    CASE WHEN own IS NULL THEN date_bin('15 minutes', moment, timestamptz '2000-01-01 00:00+00') END
FROM (
    SELECT moment, evidence.offset_of(written) AS own
    FROM (
        SELECT start_at, zone_offset FROM health.samples WHERE user_id = $1
        UNION ALL SELECT start_at, zone_offset FROM health.workouts WHERE user_id = $1
        UNION ALL SELECT end_at, zone_offset FROM health.sleeps WHERE user_id = $1
        UNION ALL SELECT start_at + interval '12 hours', zone_offset FROM health.cycles WHERE user_id = $1
        UNION ALL SELECT measured_at, NULL FROM health.recoveries WHERE user_id = $1
    ) AS touched(moment, written)
) AS dated
WHERE evidence.is_dated(moment)
UNION SELECT $1, "day", NULL FROM evidence.days WHERE user_id = $1 AND "day" IS NOT NULL
UNION SELECT $1, "day", NULL FROM health.days WHERE user_id = $1 AND "day" IS NOT NULL
