-- The recoveries of the days $2, the latest last: of the day on which the person woke out of their sleep, else of that on
-- which they were measured.
SELECT wanted."day", recovery.connection_id, recovery.recovery_score, recovery.resting_heart_rate, recovery.hrv_rmssd_ms
FROM unnest($2::date[], $3::timestamptz[], $4::timestamptz[]) AS wanted("day", begins, ends)
-- By OFFSET 0 each day, and each sleep and recovery of it, is looked up by itself, by index.
CROSS JOIN LATERAL (
    SELECT woken.id, woken.user_id, woken.connection_id, woken.recovery_score, woken.resting_heart_rate, woken.hrv_rmssd_ms,
        woken.deleted_at, slept.end_at AS moment, slept.zone_offset AS written
    FROM (
        SELECT id, end_at, zone_offset
        FROM health.sleeps
        WHERE user_id = $1 AND deleted_at IS NULL
            AND end_at >= wanted.begins - interval '36 hours' AND end_at < wanted.ends + interval '36 hours'
        OFFSET 0
    ) AS slept
    CROSS JOIN LATERAL (
        SELECT id, user_id, connection_id, recovery_score, resting_heart_rate, hrv_rmssd_ms, deleted_at
        FROM health.recoveries
        WHERE sleep_source_id = slept.id
        OFFSET 0
    ) AS woken
    UNION ALL
    SELECT measured.id, measured.user_id, measured.connection_id, measured.recovery_score, measured.resting_heart_rate,
        measured.hrv_rmssd_ms, measured.deleted_at, measured.measured_at, NULL
    FROM health.recoveries AS measured
    WHERE measured.user_id = $1 AND measured.measured_at >= wanted.begins AND measured.measured_at < wanted.ends
        AND NOT EXISTS (
            SELECT FROM health.sleeps AS slept
            WHERE slept.id = measured.sleep_source_id AND slept.deleted_at IS NULL AND slept.end_at IS NOT NULL
            OFFSET 0
        )
) AS recovery
WHERE recovery.user_id = $1 AND recovery.deleted_at IS NULL
    AND evidence.is_of_day(recovery.moment, recovery.written, wanted."day", wanted.begins, wanted.ends)
ORDER BY wanted."day", recovery.moment, recovery.id
